import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../test/build-in-memory.js';
import { zip } from '../../test/make-zip.js';
import { buildLookup } from './build-lookup.js';
import { type VerifyAgainst, verifyLookupFile } from './verify-lookup-file.js';

const folder = mkdtempSync(join(tmpdir(), 'verify-lookup-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const CSV = 'ip_from,ip_to,v\n1.0.0.0,1.0.0.9,x\n';
const lookup = file('built.mmdb', build(CSV).bytes);

/** The result of a comparison with this input. */
async function compare(name: string, content: string | Uint8Array, options: Partial<VerifyAgainst> = {}) {
  const against = { inputFormat: 'ipv4', buildEpoch: 0, input: file(name, content), ...options } as const;
  return (await verifyLookupFile(lookup, against)).comparison;
}

test('a vendor file is recognised by its name in the archive', async () => {
  const row = '"16777216","16777225","x","-"\r\n';
  const names = ['country_code', 'country_name'];
  const vendor = file(
    'vendor.mmdb',
    build(row, { kind: 'vendor', file: 'v.csv', inputFormat: 'ipv4-int', columnNames: names }).bytes,
  );
  const input = file('IP-COUNTRY-FULL.ZIP', zip({ 'IP-COUNTRY.CSV': row }));
  const { comparison } = await verifyLookupFile(vendor, { input, lookupName: 'any', buildEpoch: 0 });
  expect(comparison).toEqual({ rows: 1, addresses: 5, differences: [], differenceCount: 0 });
});

test.each([
  ['DB-IP’s systems', '1.0.0.0,1.0.0.255,64500,"Example, Inc."\n', {}],
  [
    'IPinfo’s',
    'network,country,country_code,asn,as_name,as_domain\n1.0.0.0/24,Utopia,XA,AS64500,Example,example.com\n',
    { schema: 'geoip2' },
  ],
  ['iptoasn.com’s', '1.0.0.0\t1.0.0.255\t64500\tXA\tEXAMPLE\n', { types: false }],
] as const)('a file of %s is recognised by its rows, as in a build', async (_what, content, options) => {
  const input = file('any.csv', content);
  const built = await buildLookup({ kind: 'vendor', buildEpoch: 1, folder, input, ...options });
  const against = { kind: 'vendor', buildEpoch: 1, lookupName: 'any', input, ...options } as const;
  const { comparison } = await verifyLookupFile(built.file, against);
  expect(comparison).toMatchObject({ rows: 1, differenceCount: 0 });
});

test('an input without rows does not count as agreeing', async () => {
  expect(await compare('empty.csv', 'ip_from,ip_to,v\n')).toMatchObject({
    rows: 0,
    differences: ['the lookup has 1 records, but the input has no rows'],
    differenceCount: 1,
  });
});

test.each([
  [
    'an invalid address',
    `${CSV}x,1.0.0.1,y\n`,
    'input.csv: row 3, column ip_from: "x" is not an IPv4 address',
  ],
  [
    'an address in short',
    `${CSV}2.0.0,2.0.0.1,y\n`,
    'input.csv: row 3, column ip_from: "2.0.0" is not an IPv4 address',
  ],
  [
    'an open quote',
    `${CSV}2.0.0.0,2.0.0.1,"y\n`,
    'input.csv: row 3: "2.0.0.0,2.0.0.1,\\"y" a quote is not closed',
  ],
  [
    'no header',
    '1.0.0.0,1.0.0.9,x\n',
    'input.csv: row 1, column 1: "1.0.0.0" is data, but the first row must hold',
  ],
])('an input with %s is rejected like in a build', async (_what, content, message) => {
  await expect(compare('input.csv', content)).rejects.toThrow(message);
});

test('rows skipped in a build are left out of the comparison', async () => {
  const content = `${CSV}2.0.0,2.0.0.1,y\n`;
  expect(await compare('input.csv', content, { skipInvalid: true })).toMatchObject({
    rows: 1,
    differenceCount: 0,
  });
});

test.each(['8080', '64500', '1.2', '1', 'fe80::1%eth0'])(
  'a row of an address and %s beside it has one column of addresses, as in a build',
  async (number) => {
    const input = file('single.csv', `ip,number,v\n1.0.0.0,${number},x\n1.0.0.1,2001:db8::9,y\n`);
    const options = { kind: 'csv', inputFormat: 'auto', buildEpoch: 1 } as const;
    const built = await buildLookup({ ...options, folder, input });
    const { comparison } = await verifyLookupFile(built.file, { ...options, lookupName: 'any', input });
    expect(comparison).toMatchObject({ rows: 2, differenceCount: 0 });
  },
);

test('a row from one family to the other is rejected like in a build', async () => {
  const content = 'a,b,v\n1.0.0.0,2001:db8::ff,x\n';
  await expect(compare('families.csv', content, { inputFormat: 'auto' })).rejects.toThrow(
    'families.csv: row 2, column a: "1.0.0.0" is IPv4, but b "2001:db8::ff" is IPv6',
  );
});
