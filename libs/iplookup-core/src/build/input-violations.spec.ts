import { build, violationsOf } from '../../test/build-in-memory.js';

const header = 'ip_from,ip_to,v\n';

test.each([
  ['x,1.0.0.1,a', 'row 2, column ip_from: "x" is not an IPv4 address'],
  ['1.0.0.0,1.0.0.256,a', 'row 2, column ip_to: "1.0.0.256" is not an IPv4 address'],
  ['01.0.0.0,1.0.0.1,a', 'row 2, column ip_from: "01.0.0.0" is not an IPv4 address'],
  ['1. 0.0.0,1.0.0.1,a', 'row 2, column ip_from: "1. 0.0.0" is not an IPv4 address'],
  [' ,1.0.0.1,a', 'row 2, column ip_from: " " is not an IPv4 address'],
  ['::1,::2,a', 'row 2, column ip_from: "::1" is not an IPv4 address; -i ipv6 or -i auto reads it'],
  ['1.0.0.2,1.0.0.1,a', 'row 2, column ip_from: "1.0.0.2" is after ip_to "1.0.0.1"'],
  ['1.0.0.0,1.0.0.1', 'row 2: "1.0.0.0,1.0.0.1" has 2 columns, but 3 are expected'],
  ['1.0.0.0,1.0.0.1,a,b', 'row 2: "1.0.0.0,1.0.0.1,a,b" has 4 columns, but 3 are expected'],
  ['1.0.0.0,1.0.0.1,"a', 'row 2: "1.0.0.0,1.0.0.1,\\"a" a quote is not closed'],
  ['1.0.0.0,1.0.0.1,"a"b', 'row 2: "1.0.0.0,1.0.0.1,\\"a\\"b" text follows a closing quote'],
  [',,', 'row 2, column ip_from: "" is not an IPv4 address'],
])('%p is rejected with its position', (row, message) => {
  expect(violationsOf(header + row)).toEqual([`input.csv: ${message}`]);
});

test.each([
  ['ipv4-int', '4294967296,4294967297', 'is beyond 32 bits'],
  ['ipv4-int', '-1,5', 'is not a decimal number of 32 bits'],
  ['ipv6-int', `${2n ** 128n},5`, 'is beyond 128 bits'],
  ['ipv6-int', '1e3,5', 'is not a decimal number of 128 bits'],
  ['ipv6', '1.2.3.4,1.2.3.5', 'is not an IPv6 address'],
  ['ipv6', 'fe80::1%eth0,fe80::2', 'is not an IPv6 address'],
  ['auto', '1.2.3.400,1.2.3.5', 'is not'],
] as const)('%s: %s is rejected', (inputFormat, row, reason) => {
  expect(violationsOf(`${header}${row},a`, { inputFormat })[0]).toContain(reason);
});

test.each([
  [
    { inputFormat: 'ipv6' },
    header + '10.0.0.0,10.0.0.9,a',
    '2, column ip_from: "10.0.0.0" is not an IPv6 address; -i ipv4 or -i auto reads it',
  ],
  [
    { inputFormat: 'ipv4' },
    header + '10.0.0.0/8,x,a',
    '2, column ip_from: "10.0.0.0/8" is not an IPv4 address; -i cidr reads it',
  ],
  [
    { inputFormat: 'ipv4-int' },
    header + '0,4294967296,a',
    '2, column ip_to: "4294967296" is beyond 32 bits; -i ipv6-int reads it',
  ],
  [
    { kind: 'vendor', file: 'IP2LOCATION-LITE-DB1.CSV' },
    '10.0.0.0,10.0.0.9,a,b',
    '1, column ip_from: "10.0.0.0" is not a decimal number of 32 bits; -i cidr reads it',
  ],
  [
    { kind: 'vendor', file: 'IP2LOCATION-LITE-DB1.CSV' },
    '10.0.0.0/8,a,b',
    '1: DB1 has 4 columns, but the row has 3; -i cidr reads it',
  ],
  [{ kind: 'vendor', file: 'IP2LOCATION-LITE-DB1.CSV' }, '0,9,b', '1: DB1 has 4 columns, but the row has 3'],
  [
    { kind: 'vendor', file: 'IP2LOCATION-LITE-DB1.CSV', inputFormat: 'cidr' },
    '0,9,a,b',
    "1: DB1's CIDR edition has 3 columns, but the row has 4; -i ipv4-int or -i ipv6-int reads it",
  ],
  [
    { kind: 'vendor', file: 'IP2LOCATION-LITE-DB1.CIDR.CSV' },
    '::,::9,a,b',
    "1: DB1's CIDR edition has 3 columns, but the row has 4",
  ],
] as const)('%p: of %p the format that fits is named', (options, csv, message) => {
  expect(violationsOf(csv, options)[0]?.replace(/^\S+: row /, '')).toBe(message);
});

test.each([
  ['an invalid row', `${header}x,y,z\n`, {}, true],
  ['a header', 'a,b,,d\n', {}, false],
  ['overlapping rows', `${header}1.0.0.0,1.0.0.9,a\n1.0.0.5,1.0.0.9,b\n`, { strict: true }, false],
  ['the columns', '0,9,b', { kind: 'vendor', file: 'IP2LOCATION-LITE-DB1.CSV' }, false],
  ['a row of the vendor', '0,x,a,b', { kind: 'vendor', file: 'IP2LOCATION-LITE-DB1.CSV' }, true],
] as const)('an error in %s can be skipped or not', (_case, csv, options, skippable) => {
  const error = expect.objectContaining({ name: 'LookupInputError', skippable }) as Error;
  expect(() => build(csv, options)).toThrow(error);
});

test('a row’s number is the line on which it starts, regardless of earlier line breaks', () => {
  const csv = `${header}1.0.0.0,1.0.0.1,"a\nb"\n\n\r\n1.0.0.2,1.0.0.3,c\nx,y,z\n`;
  expect(violationsOf(csv)).toEqual(['input.csv: row 7, column ip_from: "x" is not an IPv4 address']);
});

test('an invalid number names its column', () => {
  const csv = 'a,b,latitude,elevation\n1.0.0.0,1.0.0.1,north,1\n1.0.0.0,1.0.0.1,1,1.5\n';
  expect(violationsOf(csv, { types: true })).toEqual([
    'input.csv: row 2, column latitude: "north" is not a number',
    'input.csv: row 3, column elevation: "1.5" is not a whole number',
  ]);
});

test('invalid UTF-8 names its column', () => {
  const csv = Buffer.concat([
    Buffer.from(`${header}1.0.0.0,1.0.0.1,"a`),
    Buffer.of(0xff),
    Buffer.from('"\n'),
  ]);
  expect(violationsOf(csv)).toEqual(['input.csv: row 2, column v: "a\ufffd" is not valid UTF-8']);
});

test('UTF-16 is named as such', () => {
  expect(violationsOf(Buffer.from('\ufeffa,b', 'utf16le'))[0]).toContain('is UTF-16 text: save it as UTF-8');
});

const DATA =
  'is data, but the first row must hold the column names: add a header row, or pass --no-header and --column-names';

test.each([
  ['', 'input.csv: is empty: its first row must hold the column names'],
  ['1.0.0.0,1.0.0.1,x\n', `input.csv: row 1, column 1: "1.0.0.0" ${DATA}`],
  ['16777216,16777471,x\n', `input.csv: row 1, column 1: "16777216" ${DATA}`],
  ['a,b,,d\n', 'input.csv: row 1, column 3: the column has no name'],
  [
    'a,b,c\r1,2,3\r',
    'input.csv: row 1, column 3: "c\\r1" has a line break that is only a carriage return: save the file with line feeds (LF or CRLF)',
  ],
  ['a,b, ,d\n', 'input.csv: row 1, column 3: the column has no name'],
  ['a,b,v,v\n', 'input.csv: row 1, column 4: "v" is the name of two columns'],
  ['a,a,v\n', 'input.csv: row 1, column 2: "a" is the name of two columns'],
  [
    'a;b;v\n',
    'input.csv: row 1: the header has 1 column, but the first two must be ip_from and ip_to: is the separator right (-s)?',
  ],
])('the header %p is rejected', (csv, message) => {
  expect(violationsOf(csv)).toEqual([message]);
});

test.each(['1.0.0.0,end,v\n', 'start,1.0.0.1,v\n'])(
  'a header with one address among its names, %p, is a header',
  (csv) => {
    expect(() => build(csv)).not.toThrow();
  },
);

test('with the address range in the values, their names are reserved', () => {
  const csv = 'start,end,ip_to\n1.0.0.0,1.0.0.1,x\n';
  expect(violationsOf(csv, { includeIpRange: true })[0]).toContain('"ip_to" is the name of two columns');
  expect(() => build(csv)).not.toThrow();
  expect(() => build('ip_to,end,v\n', { includeIpRange: true })).not.toThrow();
});

test('the first 20 violations are listed and the rest counted', () => {
  const violations = violationsOf(header + 'x,y,z\n'.repeat(33));
  expect(violations).toHaveLength(21);
  expect(violations[20]).toBe('... and 13 more');
});

test('the offending text is cut to 80 characters', () => {
  const [violation = ''] = violationsOf(`${header}${'9'.repeat(500)},1.0.0.1,a`);
  expect(/"(.*)"/.exec(violation)?.[1]).toHaveLength(80);
});

test('invalid rows can be skipped; the others stay', () => {
  const csv = `${header}x,y,z\n1.0.0.0,1.0.0.1,a\n1.0.0.5,1.0.0.4,b\n"1.0.0.8","1.0.0.9","open\n2.0.0.0,2.0.0.1,c\n`;
  const { counts } = build(csv, { skipInvalid: true });
  expect(counts).toMatchObject({ rows: 5, kept: 2, skipped: 3 });
  expect(counts.skippedRows.map(({ row }) => row)).toEqual([2, 4, 5]);
});

test.each([undefined, 1 << 16])(
  'a row over 1 MiB is rejected, and later rows are read (chunks of %p)',
  (chunkBytes) => {
    const options = { skipInvalid: true, ...(chunkBytes === undefined ? {} : { chunkBytes }) };
    const long = `1.0.0.0,1.0.0.1,${'x'.repeat(3 << 20)}`;
    const quoted = `1.0.0.0,1.0.0.1,"${'x'.repeat(3 << 20)}`;
    for (const row of [long, quoted, long.slice(0, (1 << 20) + 100)]) {
      const { counts } = build(`${header}${row}\n2.0.0.0,2.0.0.1,c\nbad,3.0.0.0,d\n`, options);
      expect(counts).toMatchObject({ kept: 1, skipped: 2 });
      expect(counts.skippedRows.map(({ row }) => row)).toEqual([2, 4]);
    }
  },
);

test('a row of just under 1 MiB is read', () => {
  const value = 'x'.repeat((1 << 20) - 100);
  expect(build(`${header}1.0.0.0,1.0.0.1,${value}\n`).counts.kept).toBe(1);
});

test.each([
  ['start,"the end",v\nx,1.0.0.1,a', 'row 2, column start: "x" is not an IPv4 address', 'ipv4'],
  ['start,the end,v\n1.0.0.1,x,a', 'row 2, column the end: "x" is not an IPv4 address', 'ipv4'],
  ['start,the end,v\n1.0.0.1,1.0.0.0,a', 'row 2, column start: "1.0.0.1" is after the end "1.0.0.0"', 'ipv4'],
  ['prefix,v\n1.0.0.0/33,a', 'row 2, column prefix: "1.0.0.0/33" is not a network', 'cidr'],
  ['prefix,v\n1.0.0.9-1.0.0.0,a', 'row 2, column prefix: "1.0.0.9-1.0.0.0" ends before it begins', 'cidr'],
  ['prefix,v\n1.0.0.0,a\nx,a', 'row 3, column prefix: "x" is not a network', 'auto'],
] as const)('an error for %j names the column as in the header', (csv, message, inputFormat) => {
  expect(violationsOf(csv, { inputFormat })[0]).toContain(`input.csv: ${message}`);
});

test.each([
  [['v'], 'cidr', '1x,a', 'column 1: "1x"'],
  [['prefix', 'v'], 'cidr', '1x,a', 'column prefix: "1x"'],
  [['v'], 'ipv4', '1x,1.0.0.0,a', 'column ip_from: "1x"'],
  [['from', 'to', 'v'], 'ipv4', '1.0.0.0,x,a', 'column to: "x"'],
] as const)(
  'without a header, names that were given (%j, %s) are used',
  (columnNames, inputFormat, row, place) => {
    expect(violationsOf(row, { header: false, columnNames, inputFormat })[0]).toContain(
      `input.csv: row 1, ${place}`,
    );
  },
);

test('a name in a header is cut like any other text', () => {
  const name = 'n'.repeat(1000);
  expect(violationsOf(`${name},b,v\nx,1.0.0.0,a`)[0]).toBe(
    `input.csv: row 2, column ${'n'.repeat(77)}...: "x" is not an IPv4 address`,
  );
});
