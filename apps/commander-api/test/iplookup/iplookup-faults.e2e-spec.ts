import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LookupFolder, makeLookupFolder } from './lookup-folder.js';

const HEADER = 'ip_from,ip_to,v\n';
const REMEDY = 'no lookup was written; --skip-invalid leaves out rows that are not valid';

/** Rows that are refused, and what is said of each. The last one takes all that follows it. */
const REFUSED: readonly (readonly [row: string | Buffer, said: string])[] = [
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
  folder = makeLookupFolder();
  mkdirSync(folder.lookups);
  for (const name of ['input.mmdb', 'IP2LOCATION-LITE-DB1.mmdb'])
    writeFileSync(join(folder.lookups, name), 'former');
});

/** Nothing was made, nothing was touched. */
afterEach(() => {
  expect(readdirSync(folder.lookups).sort()).toEqual(['IP2LOCATION-LITE-DB1.mmdb', 'input.mmdb']);
  for (const name of readdirSync(folder.lookups))
    expect(readFileSync(join(folder.lookups, name), 'utf8')).toBe('former');
});

test('each row that breaks a rule is named with its place, its text and the rule', async () => {
  const rows = REFUSED.map(([row]) => Buffer.from(row));
  folder.write(
    'input.csv',
    Buffer.concat([Buffer.from(HEADER), ...rows.flatMap((row) => [row, Buffer.from('\n')])]),
  );
  const { code, stdout, stderr } = await folder.run('from-csv', 'input.csv', '-i', 'ipv4');
  expect([code, stdout]).toEqual([1, '']);
  const lines = REFUSED.map(([, said]) => `input.csv: ${said}`);
  expect(stderr).toBe([...lines, REMEDY].map((line) => `svccmd: ${line}\n`).join(''));
});

const CSV = ['from-csv', 'input.csv', '-i'];
const MIB = 1 << 20;

test.each([
  ['an empty file', '', [...CSV, 'ipv4'], 'input.csv: is empty: its first row must hold the column names'],
  [
    'a header without a name',
    'a,b,,d\n',
    [...CSV, 'ipv4'],
    'input.csv: row 1, column 3: the column has no name',
  ],
  [
    'a name twice',
    'a,b,v,v\n',
    [...CSV, 'ipv4'],
    'input.csv: row 1, column 4: "v" is the name of two columns',
  ],
  [
    'data for a header',
    '1.0.0.0,1.0.0.1,x\n',
    [...CSV, 'ipv4'],
    'input.csv: row 1, column 1: "1.0.0.0" is data, but the first row must hold the column names: add a header row, or give --no-header and --column-names',
  ],
  [
    'an address beyond 32 bits',
    `${HEADER}0,4294967296,x\n`,
    [...CSV, 'ipv4-int'],
    'input.csv: row 2, column ip_to: "4294967296" is beyond 32 bits',
  ],
  [
    'an address beyond 128 bits',
    `${HEADER}0,${2n ** 128n},x\n`,
    [...CSV, 'ipv6-int'],
    `input.csv: row 2, column ip_to: "${2n ** 128n}" is beyond 128 bits`,
  ],
  [
    'overlapping rows, when that is strict',
    `${HEADER}1.0.0.0,1.0.0.9,x\n1.0.0.5,1.0.0.9,y\n`,
    [...CSV, 'ipv4', '--strict'],
    'input.csv: row 3: overlaps row 2, and --strict was given',
  ],
  [
    'a row of more than 1 MiB',
    `${HEADER}1.0.0.0,1.0.0.1,${'x'.repeat(MIB)}\n`,
    [...CSV, 'ipv4'],
    `input.csv: row 2: "1.0.0.0,1.0.0.1,${'x'.repeat(61)}..." the row is longer than 1 MiB`,
  ],
  [
    'a quote that is open for more than 1 MiB',
    `${HEADER}1.0.0.0,1.0.0.1,"${'x'.repeat(3 * MIB)}\n`,
    [...CSV, 'ipv4'],
    `input.csv: row 2: "1.0.0.0,1.0.0.1,\\"${'x'.repeat(60)}..." a quote is not closed within 1 MiB`,
  ],
  [
    'UTF-16, low byte first',
    Buffer.from(`\ufeff${HEADER}`, 'utf16le'),
    [...CSV, 'ipv4'],
    'input.csv: is UTF-16 text: save it as UTF-8',
  ],
  [
    'UTF-16, high byte first',
    Buffer.from(`\ufeff${HEADER}`, 'utf16le').swap16(),
    [...CSV, 'ipv4'],
    'input.csv: is UTF-16 text: save it as UTF-8',
  ],
])('%s', async (_case, csv, args, said) => {
  folder.write('input.csv', csv);
  const { code, stdout, stderr } = await folder.run(...args);
  expect([code, stdout, stderr.split('\n')[0]]).toEqual([1, '', `svccmd: ${said}`]);
});

test.each([
  [
    'a header in a file of the vendor',
    'ip_from,ip_to,country_code,country_name\n',
    'row 1, column 1: "ip_from" is a column name, but the file must begin with data: use from-csv',
  ],
  ['columns that do not fit the file name', '"0","9","XA"\n', 'row 1: DB1 has 4 columns, but the row has 3'],
])('%s', async (_case, csv, said) => {
  folder.write('IP2LOCATION-LITE-DB1.CSV', csv);
  const { code, stdout, stderr } = await folder.run('from-vendor', 'IP2LOCATION-LITE-DB1.CSV');
  expect([code, stdout, stderr.split('\n')[0]]).toEqual([1, '', `svccmd: IP2LOCATION-LITE-DB1.CSV: ${said}`]);
});

test.each([
  [
    'IP2LOCATION-LITE-DB1.CIDR.CSV',
    '"16777216","16777471","XA","Exampland"\n',
    '3 columns, but the row has 4',
  ],
  ['IP2LOCATION-LITE-DB1.CSV', '"1.0.0.0/24","XA","Exampland"\n', '4 columns, but the row has 3'],
])('the other variant of a file than its name says: %s', async (name, csv, said) => {
  folder.write(name, csv);
  const { code, stdout, stderr } = await folder.run('from-vendor', name);
  const lines = [`${name}: row 1: DB1 has ${said}`, REMEDY];
  expect([code, stdout, stderr]).toEqual([1, '', lines.map((line) => `svccmd: ${line}\n`).join('')]);
});

test('networks with bits beyond their prefix', async () => {
  folder.write(
    'IP2LOCATION-LITE-DB1.CIDR.CSV',
    '"1.0.0.1/24","XA","Exampland"\n"1.0.0.0/33","XA","Exampland"\n',
  );
  const { code, stdout, stderr } = await folder.run('from-vendor', 'IP2LOCATION-LITE-DB1.CIDR.CSV');
  const lines = [
    'IP2LOCATION-LITE-DB1.CIDR.CSV: row 1, column network: "1.0.0.1/24" has bits set after its prefix',
    'IP2LOCATION-LITE-DB1.CIDR.CSV: row 2, column network: "1.0.0.0/33" is not a network (such as 192.0.2.0/24) or an address',
    REMEDY,
  ];
  expect([code, stdout, stderr]).toEqual([1, '', lines.map((line) => `svccmd: ${line}\n`).join('')]);
});

test('a file name that is not the vendor’s, with those that are', async () => {
  const path = folder.write('other.csv', '"0","9","XA","Exampland"\n');
  const { code, stdout, stderr } = await folder.run('from-vendor', 'other.csv');
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    `svccmd: ${path} is no file name of the vendor's: give --column-names and --input-ip-format, or rename it; ` +
      'known are IP2LOCATION-LITE-{DB1,DB3,DB5,DB9,DB11,ASN}[.IPV6][.CIDR].CSV, IP2PROXY-LITE-{PX1..PX12}[.IPV6][.CIDR].CSV, ' +
      'IP-COUNTRY....CSV, IPV6-COUNTRY....CSV, IP2PROXY-IP....CSV, IP2PROXY-IPV6....CSV, the samples and the download codes, such as DB11LITECSVIPV6, each also as .gz or .zip\n',
  ]);
});

test('--skip-invalid leaves out these rows, names them and counts them', async () => {
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
