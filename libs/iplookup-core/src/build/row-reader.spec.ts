import { readRows, refusalOf, valuesOf } from '../../test/read-rows.js';
import { ViolationList } from './input-violations.js';
import { planBuild } from './plan-build.js';
import { RowReader } from './row-reader.js';

const MIB = 1 << 20;
const HEADER = 'a,b,v\n';

test('rows come with their lines, addresses and values; each text of values is read once', () => {
  const lines = Array.from({ length: 100 }, (_, row) => `0.0.${row}.0,0.0.${row}.9,v${row % 3}`);
  const { rows, records, violations, valuesRead } = readRows([HEADER, lines.join('\n')]);
  expect(rows).toEqual(lines.map((_, row) => [row + 2, row << 8, (row << 8) + 9]));
  expect(records).toEqual(lines.map((_, row) => row % 3));
  expect([violations, valuesRead]).toEqual([[], 3]);
});

test.each([
  ['ipv6', '::1,::2,x\n', [0, 0, 0, 1, 0, 0, 0, 2]],
  ['ipv6-int', `1,${(1n << 96n) + 2n},x\n`, [0, 0, 0, 1, 1, 0, 0, 2]],
  ['ipv4-int', '1,2,x\n', [1, 2]],
] as const)('%s', (inputFormat, row, words) => {
  const { rows, valuesRead } = readRows([HEADER, row.repeat(5)], { inputFormat });
  expect(rows).toEqual([2, 3, 4, 5, 6].map((line) => [line, ...words]));
  expect(valuesRead).toBe(1);
});

test('networks in one column', () => {
  const { rows, valuesRead } = readRows(['network,v\n', '1.0.0.0/31,x\n"1.0.0.0/31",x\n1.0.0.0,x\n'], {
    inputFormat: 'cidr',
  });
  const first = (1 << 24) >>> 0;
  const mapped = (word: number) => [0, 0, 0xffff, word];
  expect(rows).toEqual([
    [2, ...mapped(first), ...mapped(first + 1)],
    [3, ...mapped(first), ...mapped(first + 1)],
    [4, ...mapped(first), ...mapped(first)],
  ]);
  expect(valuesRead).toBe(1);
});

test('quoted addresses do not change the text of the values', () => {
  const rows = ['0.0.0.1,0.0.0.2,x', '"0.0.0.1","0.0.0.2",x', '0.0.0.1,"0.0.0.2",x', '"0.0.0.1",0.0.0.2,x'];
  for (let turn = 0; turn < rows.length; turn++) {
    rows.push(rows.shift()!);
    const found = readRows([HEADER, [...rows, ...rows].join('\n')]);
    expect(found.rows.map(([, ...range]) => range)).toEqual(Array(8).fill([1, 2]));
    expect([found.violations, found.valuesRead]).toEqual([[], 1]);
  }
});

test.each([
  '"0.0.0.1,0.0.0.2,x',
  '0.0.0.1,"0.0.0.2,x',
  '0.0.0.1",0.0.0.2,x',
  '0.0.0.1;0.0.0.2,x',
  '0.0.0.1,0.0.0.2;x',
])('%s is invalid in any position', (row) => {
  const good = '0.0.0.1,0.0.0.2,x\n';
  const { rows, violations } = readRows([HEADER, good, `${row}\n`, good]);
  // An unclosed quote swallows the rest of its line.
  expect(rows.map(([line]) => line)).toEqual([2, 4]);
  expect(violations).toEqual([expect.stringMatching(/^input\.csv: row 3[:,]/)]);
});

test('the other separators', () => {
  const { rows, violations } = readRows(['a;b;v\n', '0.0.0.1;0.0.0.2;x\n'.repeat(3)], { separator: ';' });
  expect([rows.length, violations]).toEqual([3, []]);
});

test('addresses in the wrong order are an error every time', () => {
  const { rows, violations } = readRows([HEADER, '0.0.0.1,0.0.0.1,x\n', '0.0.0.2,0.0.0.1,x\n'.repeat(2)]);
  expect(rows).toEqual([[2, 1, 1]]);
  expect(violations).toEqual([
    'input.csv: row 3, column a: "0.0.0.2" is after b "0.0.0.1"',
    'input.csv: row 4, column a: "0.0.0.2" is after b "0.0.0.1"',
  ]);
});

describe('values with line breaks', () => {
  const inner = '0.0.0.7,0.0.0.8,y';
  const csv = `${HEADER}0.0.0.1,0.0.0.1,"x\n${inner}\n${inner}"\n0.0.0.2,0.0.0.2,y\n0.0.0.3,0.0.0.3,"x\n${inner}\n${inner}"\n${inner}\n`;
  const expected = [
    [2, 1, 1],
    [5, 2, 2],
    [6, 3, 3],
    [9, 7, 8],
  ];

  test('text inside quotes is not a row', () => {
    const found = readRows([csv]);
    expect(found.rows).toEqual(expected);
    expect(found.records[0]).toBe(found.records[2]);
    expect(found.records[1]).toBe(found.records[3]);
    expect(found.violations).toEqual([]);
  });

  test('cut at any byte', () => {
    const bytes = Buffer.from(csv);
    for (let at = 0; at <= bytes.length; at++)
      expect(readRows([bytes.subarray(0, at), bytes.subarray(at)]).rows).toEqual(expected);
    const single = Array.from(bytes, (byte) => Buffer.of(byte));
    expect(readRows(single).rows).toEqual(expected);
  });
});

test('the last row may lack its line break', () => {
  expect(readRows([HEADER, '0.0.0.1,0.0.0.2,x\n0.0.0.1,0.0.0.2,x']).rows).toHaveLength(2);
  expect(readRows([HEADER, '0.0.0.1,0.0.0.2,x\r\n0.0.0.1,0.0.0.2,x\r']).violations).toEqual([]);
  expect(readRows([HEADER, '0.0.0.1,0.0.0.2,"x']).violations).toEqual([
    'input.csv: row 2: "0.0.0.1,0.0.0.2,\\"x" a quote is not closed',
  ]);
});

test('blank lines are skipped, and counted', () => {
  const { rows, violations } = readRows([
    `\n\r\n${HEADER}\n\r\n0.0.0.1,0.0.0.2,x\n\n \n0.0.0.1,0.0.0.2,x\n\n`,
  ]);
  expect(rows.map(([line]) => line)).toEqual([6, 9]);
  expect(violations).toEqual(['input.csv: row 8: "" has 1 columns, but 3 are expected']);
});

describe('the beginning of a file', () => {
  const row = '0.0.0.1,0.0.0.2,x\n';
  const bom = Buffer.of(0xef, 0xbb, 0xbf);

  test.each([
    ['whole', [Buffer.concat([bom, Buffer.from(HEADER + row)])]],
    ['byte by byte', [...bom].map((byte) => Buffer.of(byte)).concat(Buffer.from(HEADER + row))],
  ])('a byte order mark is skipped: %s', (_how, pieces) => {
    const { columns } = valuesOf(pieces);
    expect(columns).toEqual(['v']);
  });

  test.each([
    ['sep=;\n', ';'],
    ['sep=;\r\n', ';'],
    ['\ufeffSEP=|\r\n', '|'],
    ['"sep=;"\r\n', ';'],
    ['sep=\t\n', '\t'],
    ['sep=,\n', ','],
  ])('the line %j names the separator', (line, separator) => {
    const text = line + (HEADER + row).replaceAll(',', separator) + `x${separator}x${separator}x\n`;
    for (const pieces of [[text], [...text]]) {
      const { rows, violations } = readRows(pieces);
      expect(rows).toEqual([[3, 1, 2]]);
      expect(violations).toEqual([expect.stringContaining('row 4, column a: "x" is not')]);
    }
  });

  test.each(['sep=a\n', 'sep=;;\n', 'sep=\n'])('%j is a header like any other', (line) => {
    expect(refusalOf([line + HEADER + row])).toContain('row 1: the header has 1 column');
  });

  test.each([
    ['little endian', Buffer.from('\uFEFFa,b', 'utf16le'), 'UTF-16'],
    ['big endian', Buffer.from('\uFEFFa,b', 'utf16le').swap16(), 'UTF-16'],
    ['nothing but a mark', Buffer.of(0xff, 0xfe), 'UTF-16'],
    ['little endian without a mark', Buffer.from('a,b,v\n', 'utf16le'), 'UTF-16LE'],
    ['big endian without a mark', Buffer.from('a,b,v\n', 'utf16le').swap16(), 'UTF-16BE'],
  ])('UTF-16 is rejected, and the remedy works: %s', (_order, bytes, encoding) => {
    const message = `input.csv: is UTF-16 text: save it as UTF-8, such as with iconv -f ${encoding} -t UTF-8`;
    expect(refusalOf([bytes])).toBe(message);
    expect(refusalOf([...bytes].map((byte) => Buffer.of(byte)))).toBe(message);
  });

  test.each([
    [Buffer.of(0xff), '1'],
    [Buffer.of(0xfe), '1'],
    [Buffer.of(0xff, 0x61), '1'],
    [Buffer.of(0xfe, 0x61), '1'],
    [Buffer.of(0x61, 0xff), '1'],
    [Buffer.of(0x61, 0xfe), '1'],
    [Buffer.of(0xfe, 0xfe), '1'],
    [Buffer.of(0xff, 0xff), '1'],
    [Buffer.of(0xef, 0xbb), '1'],
    [Buffer.of(0xef, 0xbb, 0x61), '1'],
    [Buffer.of(0xef, 0x61, 0xbf), '1'],
    [Buffer.of(0x61, 0xbb, 0xbf), '1'],
    [Buffer.of(0x61, 0x2c, 0xff), '2'],
  ])('%j is neither, and no UTF-8', (bytes, column) => {
    const text = JSON.stringify(String(bytes).split(',').at(-1));
    expect(refusalOf([bytes, ',c,d\n'])).toBe(
      `input.csv: row 1, column ${column}: ${text} is not valid UTF-8`,
    );
  });

  test.each(['', 'a', 'ab', 'abc'])('%p alone', (text) => {
    expect(refusalOf([text])).toBe(
      text === ''
        ? 'input.csv: is empty: its first row must hold the column names'
        : 'input.csv: row 1: the header has 1 column, but the first two must be ip_from and ip_to: is the separator right (-s)?',
    );
  });
});

describe('rows of 1 MiB', () => {
  const start = '0.0.0.1,0.0.0.1,';
  const after = '0.0.0.2,0.0.0.2,y\n';
  const longest = `${start}${'x'.repeat(MIB - start.length - 1)}\n`;
  const tooLong = longest.replace('x', 'xx');
  const cut = (text: string) => JSON.stringify(`${text.slice(0, 77)}...`);
  /** The same text at once, in pieces of 64 KiB, and with a piece that ends shortly before or after its end. */
  const ways = (text: string): string[][] => [
    [text],
    text.match(/[^]{1,65536}/g) ?? [],
    ...[-3, -2, -1, 1].map((n) => [
      text.slice(0, text.length - after.length + n),
      text.slice(text.length - after.length + n),
    ]),
  ];

  test('the longest row that is taken', () => {
    for (const pieces of ways(HEADER + longest + after)) {
      const { rows, violations } = readRows(pieces);
      expect([rows, violations]).toEqual([
        [
          [2, 1, 1],
          [3, 2, 2],
        ],
        [],
      ]);
    }
  });

  test('one byte more is an error, and later rows keep their line numbers', () => {
    for (const text of [tooLong, `${start}${'x'.repeat(5 * MIB)}\n`])
      for (const pieces of ways(HEADER + text + after + after)) {
        const { rows, violations } = readRows(pieces);
        expect(rows).toEqual([
          [3, 2, 2],
          [4, 2, 2],
        ]);
        expect(violations).toEqual([`input.csv: row 2: ${cut(text)} the row is longer than 1 MiB`]);
      }
  });

  test('a quote that stays open so long ends with its line', () => {
    const open = `${start}"${'x'.repeat(3 * MIB)}\n`;
    for (const pieces of ways(HEADER + open + after)) {
      const { rows, violations } = readRows(pieces);
      expect(rows.map(([line]) => line)).toEqual([3]);
      expect(violations).toEqual([expect.stringMatching(/a quote is not closed(?: within 1 MiB)?$/)]);
    }
  });

  test('an unclosed quote swallows only one line', () => {
    const row = '0.0.0.2,0.0.0.2,y\n';
    const count = Math.ceil((2.5 * MIB) / row.length);
    const found = readRows([HEADER, `${start}"x\n`, row.repeat(count)]);
    expect(found.violations).toEqual([
      'input.csv: row 2: "0.0.0.1,0.0.0.1,\\"x" a quote is not closed within 1 MiB',
    ]);
    expect(found.rows.length).toBe(count);
    expect(found.rows.at(-1)).toEqual([count + 2, 2, 2]);
  });

  test.each([
    [
      `a,b,v\r${'0.0.0.1,0.0.0.1,x\r'.repeat(MIB / 10)}`,
      /has a line break that is only a carriage return: save/,
    ],
    [`a,b,v\r${'0.0.0.1,0.0.0.1,x\r'.repeat(MIB / 10)}\n`, /has a line break that is only a carriage return/],
    [`a,"b,v\r\n${'0.0.0.1,0.0.0.1,x\r\n'.repeat(MIB / 10)}`, /a quote is not closed within 1 MiB$/],
    [`a,b,${'v'.repeat(2 * MIB)}\r\n${after}`, /the row is longer than 1 MiB$/],
  ])('a header that is too long', (text, message) => {
    for (const pieces of ways(text)) expect(refusalOf(pieces)).toMatch(message);
  });

  test('a last row that is too long and has no line break', () => {
    expect(readRows([HEADER, `${start}${'x'.repeat(4 * MIB)}`])).toMatchObject({
      rows: [],
      violations: [expect.stringMatching(/the row is longer than 1 MiB$/)],
    });
  });
});

test('vendor rows without any stored value are distinguished from others', () => {
  const options = {
    kind: 'vendor',
    file: 'v.csv',
    inputFormat: 'ipv4-int',
    columnNames: ['country_code', 'note'],
    dropColumns: ['note'],
  } as const;
  const kinds: number[] = [];
  const plan = planBuild(options.file, { buildEpoch: 1, ...options });
  const reader = new RowReader(
    plan,
    { add: (_range, payload) => void kinds.push(payload & 3) },
    new ViolationList(''),
  );
  reader.push(Buffer.from('0,1,-,x\n2,3,AU,-\n4,5,AU,x\n6,7,-,-\n'));
  reader.end();
  // Empty, full, full, empty: the dropped column does not count.
  expect(kinds).toEqual([2, 0, 0, 2]);
});

describe.each([
  ['whose values are new', 1],
  ['whose values are known', 40],
])('in auto, a row %s', (_what, count) => {
  const rows = '1.0.0.0,1.0.0.1,x\n'.repeat(count - 1);

  test.each([
    ['1.0.0.0,2001:db8::ff', '"1.0.0.0" is IPv4, but b "2001:db8::ff" is IPv6'],
    ['"1.0.0.0","2001:db8::ff"', '"1.0.0.0" is IPv4, but b "2001:db8::ff" is IPv6'],
    [' 1.0.0.0,2001:db8::ff', '" 1.0.0.0" is IPv4, but b "2001:db8::ff" is IPv6'],
    ['1.0.0.0,::ffff:1.0.0.9', '"1.0.0.0" is IPv4, but b "::ffff:1.0.0.9" is IPv6'],
    ['::,1.0.0.0', '"::" is IPv6, but b "1.0.0.0" is IPv4'],
    ['2001:db8::,1.0.0.0', '"2001:db8::" is IPv6, but b "1.0.0.0" is IPv4'],
  ])('from one family to the other (%s) is invalid', (addresses, reason) => {
    const { violations } = readRows([`a,b,v\n${rows}${addresses},x\n`], { inputFormat: 'auto' });
    const place = `input.csv: row ${count + 1}, column a: `;
    expect(violations).toEqual([
      expect.stringContaining(`${place}${reason}: a range needs two addresses of one family`),
    ]);
  });

  test.each(['::,1fff:ffff::', '::ffff:1.0.0.0,2001:db8::', '::1.0.0.0,::ffff:1.0.0.9', '1.0.0.0,1.0.0.9'])(
    'of one notation (%s) is valid',
    (addresses) => {
      const found = readRows([`a,b,v\n${rows}${addresses},x\n`], { inputFormat: 'auto' });
      expect([found.rows.length, found.violations]).toEqual([count, []]);
    },
  );
});
