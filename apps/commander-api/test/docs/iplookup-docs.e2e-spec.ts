import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reader } from '@maxmind/geoip2-node';
import { openLookup } from '@svc/iplookup-core';
import { startServer } from '../http/running-server.js';
import { expectSuccess, typeInShell, typeLine } from '../shell/type-line.js';

const ROOT = new URL('../../../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/iplookup.md', ROOT), 'utf8');

/** The page's fenced blocks, whatever their language. */
const BLOCKS = [...PAGE.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

let folder: string;
const lookup = (name: string) => openLookup(readFileSync(join(folder, 'lookups', `${name}.mmdb`)));

const run = async (line: string) => typeLine(line, { cwd: folder });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-docs-iplookup-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(folder, 'bin', 'svccmd'));
  const commands = BLOCKS.filter(({ language }) => language === 'console').flatMap(
    ({ text }) => text.match(/(?<=^\$ ).*$/gm) ?? [],
  );
  expect(commands.length).toBeGreaterThan(25);
  expect(await expectSuccess(commands, { cwd: folder })).toBe('');
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('the commands build the page’s lookups', () => {
  expect(lookup('dbip').find('2001:200::1')).toEqual({ country_code: 'JP' });
  expect(lookup('dbip').find('1.0.0.1')).toEqual({ country_code: 'AU' });
  expect(lookup('dbip').find('1.0.1.0')).toEqual({ country_code: 'ZZ' });
  expect(lookup('ipinfo-flat').find('1.0.0.1')).toEqual({ country_code: 'AU', asn: 13335, source: 'ipinfo' });
  expect(lookup('systems').find('1.0.0.1')).toEqual({ asn: 13335 });
  expect(lookup('networks').find('10.1.2.3')).toEqual({ country_code: 'ZZ', site: 'Warehouse' });
  expect(lookup('networks').find('192.0.2.1')).toEqual({ country_code: 'US' });
  expect(lookup('mine').find('1.0.0.1')).toEqual({ country_code: 'AU', country_name: 'Australia' });
  expect(lookup('places-City').metadata.databaseType).toBe('GeoLite2-City');
  expect(lookup('networks-ASN').metadata.databaseType).toBe('GeoLite2-ASN');
  expect(readFileSync(join(folder, 'networks.csv'), 'utf8')).toBe(
    'network,site\n10.0.0.0/16,Head office\n10.1.0.0/16,Depot\n',
  );
});

test('the files of each vendor are read by their rows', () => {
  expect(lookup('ipinfo_lite').find('1.0.0.1')).toMatchObject({ country: 'Australia', asn: 13335 });
  expect(lookup('ip2asn').find('1.0.0.1')).toEqual({
    asn: 13335,
    country_code: 'US',
    as_name: 'CLOUDFLARENET',
  });
  expect(lookup('sapics').find('1.0.0.1')).toMatchObject({
    city_name: 'Brisbane',
    postal_code: '4000',
    time_zone: 'Australia/Brisbane',
  });
  expect(lookup('GeoLite2-Country').find('1.0.0.1')).toMatchObject({
    continent: { code: 'OC', geoname_id: 6255151 },
    country: { geoname_id: 2077456, iso_code: 'AU', names: { en: 'Australia' } },
  });
  expect(lookup('countries-flat').find('1.0.0.1')).toEqual({
    country_iso_code: 'AU',
    country_name: 'Australia',
  });
});

test('consumers of MaxMind’s records read what other vendors’ files become', () => {
  const bytes = (name: string) => readFileSync(join(folder, 'lookups', `${name}.mmdb`));
  // MaxMind's own library refuses other databases, as Logstash, Elasticsearch and OpenTelemetry do.
  expect(Reader.openBuffer(bytes('dbip-City')).city('1.0.0.1')).toMatchObject({
    city: { names: { en: 'Brisbane' } },
    country: { isoCode: 'AU' },
    location: { latitude: -27.47, longitude: 153.02 },
  });
  for (const name of ['ipinfo-Country', 'GeoLite2-Country'])
    expect(Reader.openBuffer(bytes(name)).country('1.0.0.1').country?.isoCode).toBe('AU');
});

test('`guess` prints the command that the page shows', async () => {
  const { stdout } = await run('svccmd iplookup guess unknown.tsv --quiet');
  expect(BLOCKS.map(({ text }) => text)).toContain(stdout);
});

test('commands print the output shown', async () => {
  const shown = PAGE.match(/(?<=show sites 10\.1\.2\.3\n)(?:.*\n)*?(?=\$)/)![0];
  const { stdout } = await run('svccmd iplookup show sites-before 10.1.2.3');
  expect(stdout).toBe(shown);
  const diff = (await run('svccmd iplookup diff sites-before sites')).stdout;
  expect(PAGE).toContain(`\`${diff.trim().split('\n').at(-1)}\``);
  const csv = '"16777216","16777471","AU","Australia","DSL"\n';
  writeFileSync(join(folder, 'in/F.csv'), csv);
  const refused = await run(
    'svccmd iplookup from-vendor F.csv -i ipv4-int --schema geoip2 -c country_code country_name net_speed',
  );
  const message = BLOCKS.find(({ text }) => text.startsWith('svccmd: IP-COUNTRY-ISP.CSV'))!;
  expect(message.text.replace('IP-COUNTRY-ISP.CSV', 'F.csv')).toContain(refused.stderr.split('\n')[0]);
});

test('readers are shown lookups and columns that there are', () => {
  const configurations = BLOCKS.filter(({ text }) => /\.mmdb|ENGINE/.test(text) && !text.startsWith('$'));
  expect(configurations).toHaveLength(9);
  const made = readdirSync(join(folder, 'lookups'));
  for (const { text } of configurations) {
    for (const [, name] of text.matchAll(/([\w-]+\.mmdb)/g)) expect(made).toContain(name);
    if (text.includes('sites.mmdb')) expect(text).toMatch(/\bsite\b|\.site\b/);
  }
  expect(lookup('sites').find('10.1.2.3')).toEqual({ site: 'Depot' });
});

test('the errors shown are the errors printed', async () => {
  writeFileSync(join(folder, 'in/faulty.csv'), 'ip_from,ip_to,site\n10.0.0.0,10.0.255.255,Head office\n');
  const { stderr } = await run('svccmd iplookup from-csv faulty.csv');
  expect(PAGE).toContain(stderr.split('\n')[0]!.replace('faulty.csv', 'sites.csv'));
});

test('the table and the dictionary of ClickHouse have the columns of the dump', () => {
  const [header] = readFileSync(join(folder, 'networks.csv'), 'utf8').split('\n');
  const statements = BLOCKS.find(({ language }) => language === 'sql')!.text;
  const columns = [...statements.matchAll(/CREATE (?:TABLE|DICTIONARY) \w+ \((.*?)\)/g)].map(([, list]) =>
    list!.replaceAll(' String', '').replaceAll(' ', ''),
  );
  expect(columns).toEqual([header, header]);
  expect(statements).toContain(`PRIMARY KEY ${header!.split(',')[0]}\n`);
});

test('the requests are answered', async () => {
  const server = await startServer(folder);
  try {
    const [requests] = BLOCKS.filter(({ text }) => text.startsWith('curl'));
    const token = readFileSync(join(folder, 'svccmd.token'), 'utf8').trim();
    const script = requests!.text
      .replaceAll('curl ', 'curl -sS --fail ')
      .replaceAll('http://127.0.0.1:8080', server.url);
    const { code, stdout, stderr } = await typeInShell(script, { cwd: folder, env: { TOKEN: token } });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('"lookup":"sites"');
    expect(stdout).toContain('"record":{"site":"Depot"}');
    expect(lookup('sent').find('2001:200::1')).toEqual({ country_code: 'JP' });
  } finally {
    await server.stop();
  }
});
