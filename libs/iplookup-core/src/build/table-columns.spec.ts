import { readRows, refusalOf, valuesOf } from '../../test/read-rows.js';

const HEADER = 'a,b,v\n';

test('malformed quotes invalidate the file in a header, but only the row in a first row of data', () => {
  expect(refusalOf(['a,"b"x,v\n'])).toBe('input.csv: row 1: "a,\\"b\\"x,v" text follows a closing quote');
  const given = { header: false, columnNames: ['v'] } as const;
  expect(readRows(['0.0.0.1,"b"x,v\n', '0.0.0.1,0.0.0.2,x\n'], given)).toMatchObject({
    rows: [[2, 1, 2]],
    violations: ['input.csv: row 1: "0.0.0.1,\\"b\\"x,v" text follows a closing quote'],
  });
});

test('without rows a list of names, or the header, decides', () => {
  expect(valuesOf([''], { header: false, columnNames: ['v', 'w'] }).columns).toEqual(['v', 'w']);
  expect(valuesOf([HEADER], { inputFormat: 'auto' }).columns).toEqual(['v']);
  expect(valuesOf(['a,b,v\n'], { inputFormat: 'cidr' }).columns).toEqual(['b', 'v']);
});

test('invalid columns are reported even without rows', () => {
  expect(refusalOf([''], { header: false, columnNames: ['v'], dropColumns: ['w'] })).toBe(
    'input.csv: --drop-columns names "w", which is not a value column',
  );
});

test.each([
  ['0.0.0.1,0.0.0.2,x', ['v']],
  ['0.0.0.0/8,0.0.0.2,x', ['b', 'v']],
  ['0.0.0.1,none,x', ['b', 'v']],
  ['0.0.0.1,8080,x', ['b', 'v']],
  ['0.0.0.1,1.2,x', ['b', 'v']],
  ['2001:db8::1,64500,x', ['b', 'v']],
  ['0.0.0.1,0.0.0.0/8,x', ['b', 'v']],
])('auto: %s has the columns %p', (row, columns) => {
  expect(valuesOf([HEADER, `${row}\n`], { inputFormat: 'auto' }).columns).toEqual(columns);
});

test('auto: a header of one column, and rows of one cell', () => {
  expect(valuesOf(['network\n0.0.0.1\n'], { inputFormat: 'auto' }).columns).toEqual([]);
});

test.each([
  ['cidr', 'network,v\n', Buffer.from('\xff,x\n', 'latin1'), 'row 2, column network'],
  ['ipv4', HEADER, Buffer.from('0.0.0.1,\xff,x\n', 'latin1'), 'row 2, column b'],
  ['ipv4', HEADER, Buffer.from('0.0.0.1,0.0.0.1,\xff\n', 'latin1'), 'row 2, column v'],
  ['auto', HEADER, Buffer.from('0.0.0.1,0.0.0.1,\xff\n', 'latin1'), 'row 2, column v'],
] as const)('%s: invalid UTF-8 is reported with its column', (inputFormat, header, row, place) => {
  const message = `input.csv: ${place}: "\uFFFD" is not valid UTF-8`;
  const found = inputFormat === 'auto' ? refusalOf([header, row], { inputFormat }) : undefined;
  expect(found ?? readRows([header, row], { inputFormat }).violations[0]).toBe(message);
});

test.each([
  [
    'ip_from,ip_to,12',
    'input.csv: row 1, column 1: "ip_from" is a column name, but the file must begin with data: leave out --no-header and --column-names',
  ],
  [
    'IP From,ip_to,v',
    'input.csv: row 1, column 1: "IP From" is a column name, but the file must begin with data: leave out --no-header and --column-names',
  ],
])('without a header, %s is mistaken for one', (row, message) => {
  expect(refusalOf([`${row}\n`], { header: false, columnNames: ['v'] })).toBe(message);
});

test.each(['1x,2x,v', 'x1,x2,v', 'ip_from,0.0.0.1,v', '0.0.0.1,ip_to,v', ' x,y,v'])(
  'without a header, %s is an invalid row',
  (row) => {
    const { violations } = readRows([`${row}\n`], { header: false, columnNames: ['v'] });
    expect(violations).toEqual([expect.stringMatching(/^input\.csv: row 1, column ip_(from|to): /)]);
  },
);
