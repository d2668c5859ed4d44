import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeLookupFolder, placeRows, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const PYTHON = '/usr/bin/python3';
const CHECK = new URL('check_readers.py', import.meta.url).pathname;
const NAMES = 'country_code country_name region_name city_name latitude longitude zip_code time_zone'.split(
  ' ',
);

interface Sample {
  readonly file: string;
  readonly format: string;
  /** The rows of each address family. */
  readonly rows: (count: number) => string;
  readonly build: readonly string[];
}

const DB11 = 'IP2LOCATION-LITE-DB11.CSV';
const DB11_IPV6 = 'IP2LOCATION-LITE-DB11.IPV6.CSV';

const SAMPLES: readonly Sample[] = [
  { file: DB11, format: 'ipv4-int', rows: (count) => placeRows(count, 4), build: ['from-vendor'] },
  { file: DB11_IPV6, format: 'ipv6-int', rows: (count) => placeRows(count, 6), build: ['from-vendor'] },
  {
    file: DB11,
    format: 'ipv4-int',
    rows: (count) => placeRows(count, 4),
    build: ['from-vendor', '--force-ipv4'],
  },
  { file: 'sites.csv', format: 'auto', rows: siteRanges, build: ['from-csv', '-i', 'auto'] },
  { file: 'networks.csv', format: 'cidr', rows: siteNetworks, build: ['from-csv', '-i', 'cidr'] },
];

/** Ranges that begin and end anywhere, of both families, in no order. */
function siteRanges(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => [
    `2001:db8:${index.toString(16)}::5,2001:db8:${index.toString(16)}:ff::9,"Site ""${index}"", north",\n`,
    `10.${index % 200}.${index >> 7}.3,10.${index % 200}.${index >> 7}.${200 + (index % 50)},Zürich ${index},"${index % 9}"\n`,
  ]);
  return `ip_from,ip_to,site,zone\n${rows.flat().reverse().join('')}`;
}

function siteNetworks(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => [
    `10.${index % 200}.${16 * (index >> 7)}.0/${20 + (index % 13)},"Depot, ${index}"\n`,
    `2001:db8:${index.toString(16)}::/${48 + (index % 81)},Office ${index % 7}\n`,
  ]);
  return `network,site\n${rows.flat().join('')}`;
}

/** mmdblookup is a process of its own for each address, so it gets fewer rows. */
describe.each([
  ['maxminddb', 600],
  ['mmdblookup', 30],
])('%s finds the input’s records: in each range, in the gaps, IPv4 in its three forms', (reader, count) => {
  test.each(SAMPLES)('$build of $file', async ({ file, format, rows, build }) => {
    const folder = makeLookupFolder();
    const csv = folder.write(file, rows(count));
    const [command, ...options] = build;
    const built = await folder.run(command!, file, ...options, '-o', 'lookup');
    expect([built.code, built.stderr]).toEqual([0, '']);
    const lookup = join(folder.lookups, 'lookup.mmdb');
    const args = [CHECK, csv, lookup, format, reader, ...(command === 'from-vendor' ? NAMES : [])];
    const answer = JSON.parse(execFileSync(PYTHON, args, { encoding: 'utf8' })) as Record<string, number>;
    expect(answer).toMatchObject({ wrong: [] });
    expect(answer['asked']).toBeGreaterThan(4 * count);
    expect(answer['gaps']).toBeGreaterThan(count);
  });
});

test('rereading the input gives the same result', async () => {
  const folder = makeLookupFolder();
  folder.write(DB11_IPV6, placeRows(600, 6));
  await folder.run('from-vendor', DB11_IPV6);
  const verified = await folder.run('verify', DB11_IPV6.replace('.CSV', ''), '--against', DB11_IPV6);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('0 differ')]);
});
