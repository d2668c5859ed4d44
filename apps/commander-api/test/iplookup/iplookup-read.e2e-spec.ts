import { execFile, execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Reader } from '@maxmind/geoip2-node';
import { type LookupFolder, makeLookupFolder, placeRows, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const DB11 = 'IP2LOCATION-LITE-DB11.IPV6.CSV';
const NAME = 'IP2LOCATION-LITE-DB11.IPV6';

let folder: LookupFolder;
const fileOf = (name: string) => readFileSync(join(folder.lookups, name));

beforeAll(async () => {
  folder = makeLookupFolder();
  folder.write(DB11, placeRows(300, 6));
  await folder.run('from-vendor', DB11);
});

describe('inspect', () => {
  test('prints metadata, counts and coverage', async () => {
    const { code, stdout, stderr } = await folder.run('inspect', NAME);
    expect([code, stderr]).toEqual([0, '']);
    for (const text of [
      `lookup:      ${NAME}, IPv4 and IPv6`,
      'built:       2023-11-14T22:13:20.000Z',
      'country_code            IPv4 addresses  IPv6 networks',
      '... and 6 more values',
    ])
      expect(stdout).toContain(text);
  });

  test('counts by another column, for programs', async () => {
    const { stdout } = await folder.run('inspect', NAME, '--column', 'region_name', '--json');
    const found = JSON.parse(stdout) as { column: string; groups: { value: string | null }[]; ipv6: unknown };
    expect(found.column).toBe('region_name');
    expect(found.groups).toHaveLength(12);
    expect(found.groups.find(({ value }) => value === null)).toBeDefined();
    expect(found.ipv6).toMatchObject({ networks: 283 });
  });

  test('draws a picture into a file or to standard output', async () => {
    const out = join(folder.path, 'map.svg');
    const { code, stdout } = await folder.run('inspect', NAME, '--out', out);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`picture:     ${out}\n`)]);
    const svg = readFileSync(out, 'utf8');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 1180 900".*<\/svg>\n$/s);
    expect((await folder.run('inspect', NAME, '--out', '-')).stdout).toBe(svg);
  });

  test.each([
    [['inspect', 'none'], 1, 'none.mmdb does not exist'],
    [['inspect', NAME, '--out', '/dev/null/map.svg'], 1, 'its parent is not a folder'],
    [
      ['inspect', NAME, '--column', 'nope'],
      2,
      `svccmd: the lookup ${NAME} has no column nope; its columns: country_code, country_name, region_name, city_name, latitude, longitude, zip_code, time_zone\n`,
    ],
    [
      ['inspect', NAME, '--out', `/tmp/${'x'.repeat(300)}.svg`],
      1,
      `svccmd: /tmp/${'x'.repeat(300)}.svg cannot be written: its name is too long\n`,
    ],
    [['diff', NAME, 'none'], 1, 'none.mmdb does not exist'],
    [
      ['diff', NAME, NAME, '--limit', 'all'],
      2,
      "svccmd: option '--limit <count>' argument 'all' is invalid. It must be a number from 0 to 999999; see svccmd iplookup diff --help\n",
    ],
    [['dump', 'none'], 1, 'none.mmdb does not exist'],
    [['dump', '../in/IP2LOCATION-LITE-DB11.IPV6.CSV'], 1, 'is not a MaxMind DB'],
  ])('%p ends with %p', async (args, code, message) => {
    const named = args.map((arg) => (arg.startsWith('../') ? join(folder.lookups, arg) : arg));
    const ended = await folder.run(...named);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(message)]);
  });
});

describe('dump', () => {
  test.each([
    [[], 'auto'],
    [['--cidr'], 'cidr'],
  ])('%p becomes the same file again by -i %s', async (options, format) => {
    const { code, stdout } = await folder.run('dump', NAME, ...options);
    expect(code).toBe(0);
    folder.write('again.csv', stdout);
    const build = await folder.run('from-csv', 'again.csv', '-i', format, '--types', '-o', 'again');
    expect([build.code, build.stderr]).toEqual([0, '']);
    expect((await folder.run('diff', NAME, 'again')).stdout).toContain(
      'IPv4 networks: 0 added, 0 removed, 0 changed\nIPv6 networks: 0 added, 0 removed, 0 changed',
    );
  });

  test('goes into a file too, gzipped by its name', async () => {
    const out = join(folder.path, 'places.csv.gz');
    const { stdout } = await folder.run('dump', NAME, '--out', out, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ file: out, columns: expect.arrayContaining(['city_name']) });
    expect(gunzipSync(readFileSync(out)).toString()).toBe((await folder.run('dump', NAME)).stdout);
  });

  test.each(['dump', 'inspect'])('%s --out writes into a pipe, which stays one', async (command) => {
    const pipe = join(folder.path, `${command}-pipe`);
    execFileSync('mkfifo', [pipe]);
    const read = promisify(execFile)('cat', [pipe], { maxBuffer: 1 << 24 });
    const ended = await folder.run(command, NAME, '--out', pipe);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect((await read).stdout).toBe((await folder.run(command, NAME, '--out', '-')).stdout);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test.each(['dump', 'inspect'])('%s --out /dev/stdout prints nothing else', async (command) => {
    const printed = await folder.run(command, NAME, '--out', '-');
    expect(await folder.run(command, NAME, '--out', '/dev/stdout')).toEqual(printed);
  });

  test.each(['dump', 'inspect'])('%s --out makes no folder', async (command) => {
    const out = join(folder.path, 'nowhere', 'out');
    const { code, stderr } = await folder.run(command, NAME, '--out', out);
    const message = `svccmd: ${out} cannot be written: its folder does not exist; create it first\n`;
    expect([code, stderr, existsSync(join(folder.path, 'nowhere'))]).toEqual([1, message, false]);
  });

  test('of records with too many keys for a table is rejected, and writes nothing', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `c${index}`).join(',');
    folder.write('wide.csv', `network,${names}\n10.0.0.0/8,${names}\n`);
    expect((await folder.run('from-csv', 'wide.csv', '-i', 'cidr')).code).toBe(0);
    const out = join(folder.path, 'wide-again.csv');
    const stderr = 'svccmd: the records have more than 4096 different keys: too many for a table\n';
    for (const options of [[], ['--out', out]])
      expect(await folder.run('dump', 'wide', ...options)).toEqual({ code: 1, stdout: '', stderr });
    expect(existsSync(out)).toBe(false);
  });

  test('ends quietly when its reader stops early', async () => {
    const svccmd = new URL('../../bin/svccmd.js', import.meta.url).pathname;
    const script = `set -o pipefail; "${process.execPath}" "${svccmd}" iplookup dump ${NAME} | head -n 1`;
    const line = execFileSync('bash', ['-c', script], { cwd: folder.path, encoding: 'utf8' });
    expect(line).toMatch(/^ip_from,ip_to,country_code,/);
  });
});

test('delete deletes all lookups that it can, and then fails for the others', async () => {
  for (const name of ['k1', 'k2', 'k3', 'k4']) {
    folder.write(`${name}.csv`, 'network,v\n10.0.0.0/8,x\n');
    await folder.run('from-csv', `${name}.csv`, '-i', 'cidr');
  }
  const names = ['k1', 'nosuch', 'k2.mmdb', 'k1', 'k2', 'k1.mmdb', 'a/b'];
  const { code, stdout, stderr } = await folder.run('delete', ...names);
  expect([code, stdout]).toEqual([1, 'deleted k1.mmdb\ndeleted k2.mmdb\n']);
  expect(stderr).toMatch(/^svccmd: there is no lookup "nosuch"\n.*a\/b/);
  const other = await folder.run('delete', 'nosuch', 'k3', 'k4', '--json');
  expect([other.code, JSON.parse(other.stdout)]).toEqual([1, { deleted: ['k3.mmdb', 'k4.mmdb'] }]);
});

test('diff shows added, removed and changed networks', async () => {
  folder.write('a.csv', 'network,site,room\n10.0.0.0/8,Office,1\n11.0.0.0/8,Depot,2\n');
  folder.write('b.csv', 'network,site,room\n10.0.0.0/8,Office,2\n12.0.0.0/8,Depot,2\n');
  for (const name of ['a', 'b']) await folder.run('from-csv', `${name}.csv`, '-i', 'cidr');
  const { code, stdout } = await folder.run('diff', 'a', 'b');
  expect(code).toBe(0);
  expect(stdout.split('\n').slice(1)).toEqual([
    'IPv4 networks: 1 added, 1 removed, 1 changed',
    'IPv6 networks: 0 added, 0 removed, 0 changed',
    '~ 10.0.0.0/8 room: "1" -> "2"',
    '- 11.0.0.0/8 {"site":"Depot","room":"2"}',
    '+ 12.0.0.0/8 {"site":"Depot","room":"2"}',
    '',
  ]);
  const json = await folder.run('diff', 'a', 'b', '--limit', '1', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    ipv4: { added: 1, removed: 1, changed: 1 },
    differences: [{ network: '10.0.0.0/8', before: { room: '1' }, after: { room: '2' } }],
  });
});

describe('--schema geoip2', () => {
  test('builds files that a GeoIP2 reader opens, and verify accepts', async () => {
    const built = await folder.run('from-vendor', DB11, '--schema', 'geoip2', '-o', 'places-City');
    expect([built.code, built.stderr]).toEqual([0, '']);
    const reader = Reader.openBuffer(fileOf('places-City.mmdb'));
    expect(reader.city('1.0.4.1')).toMatchObject({ city: { names: { en: 'City 1' } } });
    const args = ['verify', 'places-City', '--against', DB11, '--schema', 'geoip2'];
    const verified = await folder.run(...args);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining(': 0 differ')]);
  });

  test('refuses columns without a place, unless they are left out', async () => {
    folder.write('IP2PROXY-LITE-PX2.CSV', '"16777216","16777471","PUB","XA","Exampland"\n');
    const args = ['from-vendor', 'IP2PROXY-LITE-PX2.CSV', '--schema', 'geoip2'];
    const refused = await folder.run(...args);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(
        'has no place for the column proxy_type: leave it out with --drop-columns proxy_type',
      ),
    ]);
    expect(existsSync(join(folder.lookups, 'IP2PROXY-LITE-PX2.mmdb'))).toBe(false);
    expect((await folder.run(...args, '--drop-columns', 'proxy_type')).code).toBe(0);
    expect(Reader.openBuffer(fileOf('IP2PROXY-LITE-PX2.mmdb')).country('1.0.0.1').country?.isoCode).toBe(
      'XA',
    );
  });
});
