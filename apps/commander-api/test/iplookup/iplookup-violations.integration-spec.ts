import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  expectUntouched,
  type LookupFolder,
  makeFormerLookups,
  removeLookupFolders,
} from './lookup-folder.js';

afterAll(removeLookupFolders);

const HEADER = 'ip_from,ip_to,v\n';
const REMEDY = 'no lookup was written; pass --skip-invalid to leave out invalid rows';

/** Rows that are refused, and the message about each. The last one takes all that follows it. */
const REFUSED: readonly (readonly [row: string | Buffer, message: string])[] = [
  ['x,1.0.0.1,a', 'row 2, column ip_from: "x" is not an IPv4 address'],
  ['1.0.0.0,1.0.0.256,a', 'row 3, column ip_to: "1.0.0.256" is not an IPv4 address'],
  ['1.0.0.2,1.0.0.1,a', 'row 4, column ip_from: "1.0.0.2" is after ip_to "1.0.0.1"'],
  ['1.0.0.0,1.0.0.1', 'row 5: "1.0.0.0,1.0.0.1" has 2 columns, but 3 are expected'],
  ['1.0.0.0,1.0.0.1,a,b', 'row 6: "1.0.0.0,1.0.0.1,a,b" has 4 columns, but 3 are expected'],
  [Buffer.from('1.0.0.0,1.0.0.1,"\xff"', 'latin1'), 'row 7, column v: "\ufffd" is not valid UTF-8'],
  ['1.0.0.0,1.0.0.1,"a"b', 'row 8: "1.0.0.0,1.0.0.1,\\"a\\"b" text follows a closing quote'],
  [`${'9'.repeat(90)},1.0.0.1,a`, `row 9, column ip_from: "${'9'.repeat(77)}..." is not an IPv4 address`],
  ['1.0.0.0,1.0.0.1,"a', 'row 10: "1.0.0.0,1.0.0.1,\\"a" a quote is not closed'],
];

let folder: LookupFolder;

beforeEach(() => {
  folder = makeFormerLookups();
});

afterEach(() => expectUntouched(folder));

/** Lines of standard error. */
const printed = (...lines: string[]) => lines.map((line) => `svccmd: ${line}\n`).join('');

test('each invalid row is listed with its place, text and rule', async () => {
  const rows = REFUSED.map(([row]) => Buffer.from(row));
  folder.write(
    'input.csv',
    Buffer.concat([Buffer.from(HEADER), ...rows.flatMap((row) => [row, Buffer.from('\n')])]),
  );
  const { code, stdout, stderr } = await folder.run('from-csv', 'input.csv', '-i', 'ipv4');
  expect([code, stdout]).toEqual([1, '']);
  const lines = REFUSED.map(([, message]) => `input.csv: ${message}`);
  expect(stderr).toBe(printed(...lines, REMEDY));
});

const CSV = ['from-csv', 'input.csv', '-i'];
const MIB = 1 << 20;

/** Invalid rows that can be skipped: the remedy is printed. */
test.each([
  [
    'an address beyond 32 bits',
    `${HEADER}0,4294967296,x\n`,
    [...CSV, 'ipv4-int'],
    'row 2, column ip_to: "4294967296" is beyond 32 bits; -i ipv6-int reads it',
  ],
  [
    'an address beyond 128 bits',
    `${HEADER}0,${2n ** 128n},x\n`,
    [...CSV, 'ipv6-int'],
    `row 2, column ip_to: "${2n ** 128n}" is beyond 128 bits`,
  ],
  [
    'IPv4 addresses without -i',
    `${HEADER}10.0.0.0,10.0.0.9,x\n`,
    ['from-csv', 'input.csv'],
    'row 2, column ip_from: "10.0.0.0" is not an IPv6 address; -i ipv4 or -i auto reads it',
  ],
  [
    'IPv6 addresses among IPv4 ones',
    `${HEADER}2001:db8::,2001:db8::9,x\n`,
    [...CSV, 'ipv4'],
    'row 2, column ip_from: "2001:db8::" is not an IPv4 address; -i ipv6 or -i auto reads it',
  ],
  [
    'decimal numbers without -i',
    `${HEADER}16777216,16777471,x\n`,
    ['from-csv', 'input.csv'],
    'row 2, column ip_from: "16777216" is not an IPv6 address; -i ipv4-int or -i ipv6-int reads it',
  ],
  [
    'networks without -i',
    'network,v\n10.0.0.0/8,x\n',
    ['from-csv', 'input.csv'],
    'row 2, column network: "10.0.0.0/8" is not an IPv6 address; -i cidr reads it',
  ],
  [
    'a row of more than 1 MiB',
    `${HEADER}1.0.0.0,1.0.0.1,${'x'.repeat(MIB)}\n`,
    [...CSV, 'ipv4'],
    `row 2: "1.0.0.0,1.0.0.1,${'x'.repeat(61)}..." the row is longer than 1 MiB`,
  ],
  [
    'a quote that is open for more than 1 MiB',
    `${HEADER}1.0.0.0,1.0.0.1,"${'x'.repeat(3 * MIB)}\n`,
    [...CSV, 'ipv4'],
    `row 2: "1.0.0.0,1.0.0.1,\\"${'x'.repeat(60)}..." a quote is not closed within 1 MiB`,
  ],
])('%s', async (_case, csv, args, message) => {
  folder.write('input.csv', csv);
  expect(await folder.run(...args)).toEqual({
    code: 1,
    stdout: '',
    stderr: printed(`input.csv: ${message}`, REMEDY),
  });
});

/** What no row is to blame for: it can be skipped neither without the option nor with it. */
describe.each([[[]], [['--skip-invalid']]])('as a whole, with %j', (options) => {
  const DB1 = 'IP2LOCATION-LITE-DB1.CSV';
  const DB1_CIDR = 'IP2LOCATION-LITE-DB1.CIDR.CSV';
  const RANGE_ROW = '"16777216","16777471","XA","Exampland"\n';
  const UTF16 = Buffer.from(`\ufeff${HEADER}`, 'utf16le');

  test.each([
    ['input.csv', '', [...CSV, 'ipv4'], 'is empty: its first row must hold the column names'],
    ['input.csv', 'a,b,,d\n', [...CSV, 'ipv4'], 'row 1, column 3: the column has no name'],
    ['input.csv', 'a,b,v,v\n', [...CSV, 'ipv4'], 'row 1, column 4: "v" is the name of two columns'],
    [
      'input.csv',
      '1.0.0.0,1.0.0.1,x\n',
      [...CSV, 'ipv4'],
      'row 1, column 1: "1.0.0.0" is data, but the first row must hold the column names: add a header row, or pass --no-header and --column-names',
    ],
    [
      'input.csv',
      'a;b;v\n',
      [...CSV, 'ipv4'],
      'row 1: the header has 1 column, but the first two must be ip_from and ip_to: is the separator right (-s)?',
    ],
    ['input.csv', 'a,b,"v\n', [...CSV, 'ipv4'], 'row 1: "a,b,\\"v" a quote is not closed'],
    [
      'input.csv',
      UTF16,
      [...CSV, 'ipv4'],
      'is UTF-16 text: save it as UTF-8, such as with iconv -f UTF-16 -t UTF-8',
    ],
    [
      'input.csv',
      Buffer.from(UTF16).swap16(),
      [...CSV, 'ipv4'],
      'is UTF-16 text: save it as UTF-8, such as with iconv -f UTF-16 -t UTF-8',
    ],
    [
      'input.csv',
      `${HEADER}1.0.0.0,1.0.0.9,x\n1.0.0.5,1.0.0.9,y\n`,
      [...CSV, 'ipv4', '--strict'],
      'row 3: overlaps row 2, which --strict does not allow',
    ],
    [
      'input.csv',
      'a,b,net_speed\n1.0.0.0,1.0.0.1,DSL\n',
      [...CSV, 'ipv4', '--schema', 'geoip2'],
      'row 1: --schema geoip2 has no place for the column net_speed: leave it out with --drop-columns net_speed',
    ],
    [
      'input.csv',
      `${HEADER}1.0.0.0,1.0.0.1,x\n`,
      [...CSV, 'ipv4', '--drop-columns', 'w'],
      'row 1: --drop-columns names "w", which is not a value column',
    ],
    [
      'input.csv',
      RANGE_ROW,
      ['from-vendor', 'input.csv', '-i', 'ipv4-int', '-c', 'country_code'],
      'row 1: the row has 4 columns: --column-names must name all of them, or all but the address columns',
    ],
    [
      DB1,
      'ip_from,ip_to,country_code,country_name\n',
      ['from-vendor', DB1],
      'row 1, column 1: "ip_from" is a column name, but the file must begin with data: use from-csv',
    ],
    [DB1, '"0","9","XA"\n', ['from-vendor', DB1], 'row 1: DB1 has 4 columns, but the row has 3'],
    [
      DB1,
      '"1.0.0.0/24","XA","Exampland"\n',
      ['from-vendor', DB1],
      'row 1: DB1 has 4 columns, but the row has 3; -i cidr reads it',
    ],
    [
      DB1,
      RANGE_ROW,
      ['from-vendor', DB1, '-i', 'cidr'],
      "row 1: DB1's CIDR edition has 3 columns, but the row has 4; -i ipv4-int or -i ipv6-int reads it",
    ],
    [
      DB1_CIDR,
      RANGE_ROW,
      ['from-vendor', DB1_CIDR],
      "row 1: DB1's CIDR edition has 3 columns, but the row has 4; -i ipv4-int or -i ipv6-int reads it",
    ],
  ])('%s: %j', async (name, csv, args, message) => {
    folder.write(name, csv);
    const ended = await folder.run(...args, ...options);
    expect(ended).toEqual({ code: 1, stdout: '', stderr: printed(`${name}: ${message}`) });
  });
});

test('networks with bits set after their prefix', async () => {
  folder.write(
    'IP2LOCATION-LITE-DB1.CIDR.CSV',
    '"1.0.0.1/24","XA","Exampland"\n"1.0.0.0/33","XA","Exampland"\n',
  );
  const { code, stdout, stderr } = await folder.run('from-vendor', 'IP2LOCATION-LITE-DB1.CIDR.CSV');
  const lines = [
    'IP2LOCATION-LITE-DB1.CIDR.CSV: row 1, column 1: "1.0.0.1/24" has bits set after its prefix',
    'IP2LOCATION-LITE-DB1.CIDR.CSV: row 2, column 1: "1.0.0.0/33" is not a network (such as 192.0.2.0/24), a range (such as 192.0.2.0-192.0.2.9) or an address',
    REMEDY,
  ];
  expect([code, stdout, stderr]).toEqual([1, '', printed(...lines)]);
});

test('--skip-invalid leaves out these rows, and lists and counts them', async () => {
  folder.write('rows.csv', `${HEADER}1.0.0.0,1.0.0.1,a\n${'x,1.0.0.1,b\n'.repeat(22)}2.0.0.0,2.0.0.1,c\n`);
  const { code, stdout, stderr } = await folder.run('from-csv', 'rows.csv', '-i', 'ipv4', '--skip-invalid');
  expect([code, stdout]).toEqual([0, expect.stringContaining('24 read, 2 kept, 22 invalid and skipped\n')]);
  const named = Array.from(
    { length: 20 },
    (_, index) => `skipped rows.csv: row ${index + 3}, column ip_from: "x" is not an IPv4 address\n`,
  );
  expect(stderr).toBe(`${named.join('')}skipped 2 more\n`);
  rmSync(join(folder.lookups, 'rows.mmdb'));
});
