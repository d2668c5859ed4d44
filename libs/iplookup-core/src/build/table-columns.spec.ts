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

test.each([
  'ip_from,ip_to',
  'range_first,range_last',
  'start,end',
  'From,To',
  'first_ip,last_ip',
  'StartIp,EndIp',
  'ip_low,ip_high',
])('auto: the header %s promises ranges, so a first row without one is invalid', (names) => {
  for (const [row, column, text] of [
    ['10.2.0.7,,Kiosk', 1, ''],
    ['10.0.0.0,10.0.0.256,Kiosk', 1, '10.0.0.256'],
    ['10.0.0.256,10.0.1.0,Kiosk', 0, '10.0.0.256'],
  ] as const) {
    const found = readRows([`${names},v\n${row}\n10.0.0.0,10.0.255.255,HQ\n`], { inputFormat: 'auto' });
    expect(found.rows.map(([line]) => line)).toEqual([3]);
    expect(found.violations).toEqual([
      `input.csv: row 2, column ${names.split(',')[column]}: ${JSON.stringify(text)} is not an IPv4 or IPv6 address`,
    ]);
  }
});

test.each([
  ['start end site', '10.2.0.7,,Kiosk', 'row 1, column end: ""'],
  ['ip_from ip_to site', '10.2.0.7,,Kiosk', 'row 1, column ip_to: ""'],
  ['site', '10.0.0.0,10.0.0.256,Kiosk', 'row 1, column ip_to: "10.0.0.256"'],
])('auto: without a header, the names %s promise ranges', (names, row, place) => {
  const given = { inputFormat: 'auto', header: false, columnNames: names.split(' ') } as const;
  const found = readRows([`${row}\n10.0.0.0,10.0.255.255,HQ\n`], given);
  expect(found.rows.map(([line]) => line)).toEqual([2]);
  expect(found.violations).toEqual([`input.csv: ${place} is not an IPv4 or IPv6 address`]);
});

test.each(['10.0.0.0/8,,HQ', '10.0.0.0-10.0.0.9,,HQ', '2001:db8::/32,x,HQ'])(
  'auto: the first row %s is a network, whatever the header promises',
  (row) => {
    const found = readRows([`start,end,v\n${row}\n10.2.0.7,,Kiosk\n`], { inputFormat: 'auto' });
    expect(found).toMatchObject({ violations: [], rows: [expect.anything(), expect.anything()] });
    // No range that the header promises is cut short.
    expect(refusalOf([`start,end,v\n${row}\n10.2.0.7,10.2.0.9,Kiosk\n`], { inputFormat: 'auto' })).toContain(
      'row 3, column end: "10.2.0.9" may end a range',
    );
    expect(
      readRows([`host,via,v\n${row}\n10.2.0.7,10.2.0.9,Kiosk\n`], { inputFormat: 'auto' }).rows,
    ).toHaveLength(2);
  },
);

describe('auto: after a first row with one address, a row with two', () => {
  const read = (rows: readonly string[]) =>
    readRows([`a,b,v\n${rows.map((row) => `${row}\n`).join('')}`], { inputFormat: 'auto' });

  test.each([
    ['10.2.0.7,,x', '10.0.0.0,10.0.255.255,x', '10.0.255.255', 'ipv4'],
    ['10.2.0.7,10.2.0.256,x', '10.0.0.0, 10.0.255.255 ,x', ' 10.0.255.255 ', 'ipv4'],
    ['10.2.0.256,10.2.0.7,x', '"10.0.0.0","10.0.255.255",x', '10.0.255.255', 'ipv4'],
    ['10.2.0.7,later,x', '2001:db8::,2001:db8::ff,x', '2001:db8::ff', 'ipv6'],
  ])('invalidates the file: %s, then %s', (first, row, text, inputFormat) => {
    const message = `input.csv: row 3, column b: ${JSON.stringify(text)} may end a range, but the first row of data has no second address: pass -i ${inputFormat} if the first two columns hold ranges, or -i cidr if only the first one holds addresses`;
    expect(refusalOf([`a,b,v\n${first}\n${row}\n`], { inputFormat: 'auto', skipInvalid: true })).toBe(
      message,
    );
  });

  test('invalidates the file, even if its values have been read with a network', () => {
    expect(() => read(['10.2.0.7,,x', '10.1.0.0/16,10.1.0.1,x', '10.1.0.0,10.1.0.1,x'])).toThrow(
      'row 4, column b: "10.1.0.1" may end a range',
    );
  });

  test('is one of a network and a value, if the first row is, or the families differ', () => {
    const rows = ['10.1.0.0/16,10.1.0.1,x', '10.2.0.7,10.2.0.254,x', '10.2.0.8-10.2.0.9,10.2.0.254,x'];
    expect(read(rows)).toMatchObject({ violations: [], rows: rows.map(() => expect.anything()) });
    expect(read(['10.1.0.1,,x', '10.1.0.2,2001:db8::,x']).rows).toHaveLength(2);
  });
});

test.each(['\u00A00.0.0.1,\uFEFF0.0.0.9\u2003,x', '"0.0.0.1\n"," \t\r\n 0.0.0.9\u00A0 ",x'])(
  'blanks of any kind around addresses are ignored: %j',
  (row) => {
    for (const inputFormat of ['ipv4', 'auto'] as const) {
      const { rows, violations } = readRows([HEADER, '0.0.0.0,0.0.0.0,x\n', `${row}\n`], { inputFormat });
      expect([violations, rows.length]).toEqual([[], 2]);
    }
  },
);

describe('a network in a file of ranges', () => {
  const remedy = 'a file of ranges cannot also have networks: write each as its first and last address';

  test.each([
    [
      'auto',
      'first,last,v',
      '0.0.1.0/24,,x',
      'first: "0.0.1.0/24" is not an IPv4 or IPv6 address: ' + remedy,
    ],
    ['ipv4', 'ip_from,ip_to,v', '0.0.1.0/24,,x', 'ip_from: "0.0.1.0/24" is not an IPv4 address: ' + remedy],
    [
      'ipv4',
      'start,end,v',
      '0.0.1.0-0.0.1.9,,x',
      'start: "0.0.1.0-0.0.1.9" is not an IPv4 address: ' + remedy,
    ],
    ['ipv4', 'start,end,v', '0.0.1.0,0.0.1.0/24,x', 'end: "0.0.1.0/24" is not an IPv4 address: ' + remedy],
    [
      'auto',
      'ip,gateway,v',
      '0.0.1.0/24,,x',
      'ip: "0.0.1.0/24" is not an IPv4 or IPv6 address; -i cidr reads it, if only the first column holds addresses',
    ],
  ] as const)('%s, under %s: %s', (inputFormat, header, row, message) => {
    const { violations } = readRows([`${header}\n0.0.0.0,0.0.0.255,x\n${row}\n`], { inputFormat });
    expect(violations).toEqual([`input.csv: row 3, column ${message}`]);
  });
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
