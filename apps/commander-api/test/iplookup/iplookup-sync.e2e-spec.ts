import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openLookup } from '@svc/iplookup-core';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const BASE = 'network,country,city\n10.0.0.0/8,CZ,Prague\n2001:db8::/32,DE,\n';
const OWN = 'network,country,site\n10.1.0.0/16,,depot\n';
const DECLARED = `lookups:
  geo:
    layers:
      - {source: base.csv, input_ip_format: cidr}
      - {source: own.csv, input_ip_format: cidr}
  sites:
    gzip: true
    layers:
      - {source: own.csv, input_ip_format: cidr, drop_columns: [country]}
`;

let folder: LookupFolder;

/** A time at which a file counts as left alone. */
const LONG_AGO = new Date('2026-01-01');

function write(name: string, content: string, modified = LONG_AGO): void {
  utimesSync(folder.write(name, content), modified, modified);
}

beforeEach(() => {
  folder = makeLookupFolder();
  mkdirSync(folder.lookups);
  write('base.csv', BASE);
  write('own.csv', OWN);
  folder.declare(DECLARED);
});

const find = (ip: string) => openLookup(readFileSync(join(folder.lookups, 'geo.mmdb'))).find(ip);

const sync = async (...args: string[]) => {
  const { code, stdout, stderr } = await folder.run('sync', ...args, '--json');
  const { lookups } = JSON.parse(stdout) as {
    lookups: { lookup: string; result: string; reasons: string[] }[];
  };
  return {
    code,
    stderr,
    results: lookups.map(({ lookup, result, reasons }) => [lookup, result, ...reasons]),
  };
};

test('declared lookups are built from their layers, and again only when something changed', async () => {
  const planned = await sync('--dry-run');
  expect(planned.results).toEqual([
    ['geo', 'outdated', 'it was never built'],
    ['sites', 'outdated', 'it was never built'],
  ]);
  expect(readdirSync(folder.lookups)).toEqual([]);
  expect((await sync()).results.map(([, result]) => result)).toEqual(['built', 'built']);
  expect(find('10.0.0.1')).toEqual({ country: 'CZ', city: 'Prague' });
  expect(find('10.1.0.1')).toEqual({ country: 'CZ', city: 'Prague', site: 'depot' });
  const sites = openLookup(gunzipSync(readFileSync(join(folder.lookups, 'sites.mmdb.gz'))));
  expect(sites.metadata).toMatchObject({ databaseType: 'sites', buildEpoch: 1_700_000_000 });
  expect(sites.find('10.1.0.1')).toEqual({ site: 'depot' });
  expect((await sync()).results.map(([, result]) => result)).toEqual(['unchanged', 'unchanged']);
});

test('the reason for a build is reported: a source, the declaration, the lookup file', async () => {
  await sync();
  write('base.csv', BASE.replace('Prague', 'Brno'), new Date('2026-02-01'));
  expect((await sync()).results).toEqual([
    ['geo', 'built', 'base.csv changed'],
    ['sites', 'unchanged'],
  ]);
  expect(find('10.1.0.1')).toMatchObject({ city: 'Brno', site: 'depot' });
  folder.declare(
    DECLARED.replace('own.csv, input_ip_format: cidr}', 'own.csv, input_ip_format: cidr, merge: replace}'),
  );
  expect((await sync('geo')).results).toEqual([['geo', 'built', 'its declaration changed']]);
  expect(find('10.1.0.1')).toEqual({ site: 'depot' });
  rmSync(join(folder.lookups, 'geo.mmdb'));
  expect((await sync()).results[0]).toEqual(['geo', 'built', 'its file is missing']);
  const other = gunzipSync(readFileSync(join(folder.lookups, 'sites.mmdb.gz')));
  writeFileSync(join(folder.lookups, 'geo.mmdb'), other);
  expect((await sync()).results[0]).toEqual(['geo', 'built', 'its file was replaced']);
  expect(find('10.1.0.1')).toEqual({ site: 'depot' });
});

/** Makes the state of `geo` that of an earlier version. */
function forgetLayerFormat(): void {
  const path = join(folder.lookups, '.sync/geo.json');
  const { layerFormat, ...state } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  expect(layerFormat).toBeGreaterThan(2);
  writeFileSync(path, JSON.stringify(state));
}

test('a lookup whose layers an earlier version built is rebuilt from its sources', async () => {
  await sync();
  forgetLayerFormat();
  expect((await sync()).results).toEqual([
    ['geo', 'built', 'this version of svccmd reads its sources differently'],
    ['sites', 'unchanged'],
  ]);
});

test('a lookup that was rolled back before an upgrade stays so', async () => {
  await sync();
  write('base.csv', BASE.replace('Prague', 'Brno'), new Date('2026-02-01'));
  await sync();
  await folder.run('rollback', 'geo');
  forgetLayerFormat();
  expect((await sync('geo')).results).toEqual([['geo', 'unchanged']]);
  expect(find('10.0.0.1')).toMatchObject({ city: 'Prague' });
});

test('a damaged layer is named, and rebuilt by the next run', async () => {
  await sync('geo');
  const layers = join(folder.lookups, '.sync', 'layers');
  const former = readFileSync(join(folder.lookups, 'geo.mmdb'));
  const isOfBase = (name: string): boolean =>
    name.endsWith('.mmdb') && readFileSync(join(layers, name)).includes('Prague');
  const [damaged = ''] = readdirSync(layers).filter(isOfBase);
  const bytes = readFileSync(join(layers, damaged));
  // The nodes lead nowhere; the metadata stay.
  bytes.fill(0xff, 0, 24);
  writeFileSync(join(layers, damaged), bytes);
  write('own.csv', `${OWN}10.2.0.0/16,,yard\n`);
  const { code, stderr } = await folder.run('sync', 'geo');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${damaged}: the search tree`)]);
  expect(readFileSync(join(folder.lookups, 'geo.mmdb'))).toEqual(former);
  expect((await sync('geo')).results).toEqual([['geo', 'built', expect.stringContaining('own.csv')]]);
  expect(find('10.2.0.1')).toEqual({ country: 'CZ', city: 'Prague', site: 'yard' });
});

test('layers that did not change are not read again', async () => {
  await sync();
  const layers = join(folder.lookups, '.sync', 'layers');
  const before = readdirSync(layers);
  expect(before.filter((name) => name.endsWith('.mmdb'))).toHaveLength(3);
  // The same time and size: only reading it would tell.
  write('base.csv', BASE.replace('Prague', 'Vienna'));
  folder.declare(
    DECLARED.replace('own.csv, input_ip_format: cidr}', 'own.csv, input_ip_format: cidr, merge: fill}'),
  );
  await sync();
  expect(readdirSync(layers)).toEqual(before);
  expect(find('10.0.0.1')).toEqual({ country: 'CZ', city: 'Prague' });
});

test('a source with another time, but the same content, changes nothing', async () => {
  const modified = () => statSync(join(folder.lookups, 'geo.mmdb')).mtimeMs;
  // Just written: it may change within the same tick, so it is read again.
  write('base.csv', BASE, new Date());
  await sync();
  const before = modified();
  expect((await sync()).results[0]).toEqual(['geo', 'unchanged']);
  write('base.csv', BASE, new Date('2026-03-01'));
  expect((await sync('--dry-run')).results[0]).toEqual(['geo', 'outdated', 'base.csv changed']);
  expect((await sync()).results[0]).toEqual(['geo', 'unchanged']);
  expect((await sync('--dry-run')).results[0]).toEqual(['geo', 'unchanged']);
  expect(modified()).toBe(before);
  expect((await folder.run('versions', 'geo', '--json')).stdout).toContain('"versions": []');
});

test('one lookup whose source cannot be read does not keep the others from being built', async () => {
  mkdirSync(join(folder.path, 'in', 'folder.csv'));
  folder.declare(DECLARED.replace('source: base.csv', 'source: folder.csv'));
  const { code, stderr, results } = await sync();
  expect([code, stderr]).toEqual([1, expect.stringContaining('folder.csv: is not a regular file')]);
  expect(results).toEqual([['sites', 'built', 'it was never built']]);
});

test('notes on a source are shown', async () => {
  write('own.csv', `${OWN}10.9/16,,x\n`);
  folder.declare(DECLARED.replaceAll('{source: own.csv,', '{source: own.csv, skip_invalid: true,'));
  const { stderr } = await sync('geo');
  expect(stderr).toContain('geo: own.csv: skipped own.csv: row 3, column network: "10.9/16"');
});

test('guards in a layer are refused: they are the lookup’s', async () => {
  folder.declare(DECLARED.replace('{source: base.csv,', '{source: base.csv, max_lost: 2%, force: true,'));
  const { stderr } = await folder.run('sync');
  expect(stderr).toContain("/lookups/geo/layers/0/max_lost: 'max_lost' is not supported for a layer");
  expect(stderr).toContain("/lookups/geo/layers/0/force: 'force' is not supported for a layer");
});

test('explain shows the row of each value of an address', async () => {
  const explained = async (ip: string) => {
    const { code, stdout, stderr } = await folder.run('explain', 'geo', ip);
    return code === 0 ? stdout.trimEnd().split('\n') : stderr;
  };
  expect(await explained('10.1.0.1')).toContain('geo was not built as it is declared now');
  write('base.csv', `${BASE}10.1.0.0/24,SK,\n10.1.0.0/24,PL,\n`);
  await sync();
  expect(await explained('10.0.0.1')).toEqual(['country: CZ  (base.csv:2)', 'city: Prague  (base.csv:2)']);
  expect(await explained('10.1.0.1')).toEqual(['country: PL  (base.csv:5)', 'site: depot  (own.csv:2)']);
  expect(await explained('::ffff:10.1.2.3')).toEqual([
    'country: CZ  (base.csv:2)',
    'city: Prague  (base.csv:2)',
    'site: depot  (own.csv:2)',
  ]);
  expect(await explained('2001:db8::1')).toEqual(['country: DE  (base.csv:3)']);
  expect(await explained('9.9.9.9')).toEqual(['9.9.9.9: no record']);
  expect(await explained('10.1')).toContain('"10.1" is not an IP address');
  write('own.csv', OWN, new Date('2026-04-01'));
  expect(await explained('10.1.0.1')).toEqual(['country: PL  (base.csv:5)', 'site: depot  (own.csv:2)']);
  write('own.csv', `${OWN}10.9.0.0/24,other\n`, new Date('2026-04-02'));
  expect(await explained('10.1.0.1')).toEqual(['country: PL  (base.csv:5)', 'site: depot  (own.csv)']);
});

test('a rollback stays until a source changes, and is not explained by what is built now', async () => {
  await sync();
  write('base.csv', BASE.replace('Prague', 'Brno'), new Date('2026-02-01'));
  await sync();
  expect((await folder.run('rollback', 'geo')).code).toBe(0);
  expect((await sync('geo')).results).toEqual([['geo', 'unchanged']]);
  expect(find('10.0.0.1')).toMatchObject({ city: 'Prague' });
  expect((await folder.run('explain', 'geo', '10.0.0.1')).stderr).toContain(
    'geo was rolled back to a version',
  );
  // Undone, it is what was built.
  expect((await folder.run('rollback', 'geo')).code).toBe(0);
  expect((await folder.run('explain', 'geo', '10.0.0.1')).stdout).toContain('city: Brno  (base.csv:2)');
  expect((await folder.run('rollback', 'geo')).code).toBe(0);
  write('base.csv', BASE.replace('Prague', 'Plzen'), new Date('2026-03-01'));
  expect((await sync('geo')).results).toEqual([['geo', 'built', 'base.csv changed']]);
  expect((await folder.run('explain', 'geo', '10.0.0.1')).stdout).toContain('city: Plzen  (base.csv:2)');
});

test('a lookup file is a layer, too', async () => {
  await sync();
  folder.declare(
    'lookups: {copy: {layers: [{source: ./out/geo.mmdb}, {source: own.csv, input_ip_format: cidr, set: [a=b]}]}}',
  );
  expect((await sync()).results).toEqual([['copy', 'built', 'it was never built']]);
  const copy = openLookup(readFileSync(join(folder.lookups, 'copy.mmdb')));
  expect(copy.find('10.1.0.1')).toEqual({ country: 'CZ', city: 'Prague', site: 'depot', a: 'b' });
  expect(copy.find('2001:db8::1')).toEqual({ country: 'DE' });
});

test('a change of a joined file alone rebuilds the layer', async () => {
  write('places.csv', 'code,name\nCZ,Czechia\n');
  folder.declare(
    'lookups: {geo: {layers: [{source: base.csv, input_ip_format: cidr, join: ["places.csv:code=country"]}]}}',
  );
  await sync();
  expect(find('10.0.0.1')).toEqual({ country: 'CZ', city: 'Prague', name: 'Czechia' });
  expect((await sync()).results).toEqual([['geo', 'unchanged']]);
  write('places.csv', 'code,name\nCZ,Bohemia\n', new Date('2026-03-01'));
  expect((await sync()).results).toEqual([['geo', 'built', 'places.csv changed']]);
  expect(find('10.0.0.1')).toMatchObject({ name: 'Bohemia' });
});

test('a broken source leaves its lookup as it was, and the others are built', async () => {
  await sync();
  const former = readFileSync(join(folder.lookups, 'geo.mmdb'));
  write('base.csv', 'network,country\n10.0.0.0/8,CZ\n10.0.0.300/8,DE\n', new Date('2026-03-01'));
  write('own.csv', OWN.replace('depot', 'office'), new Date('2026-03-01'));
  const { code, stderr, results } = await sync();
  expect(code).toBe(1);
  expect(stderr).toContain('geo: base.csv: row 3');
  expect(stderr).toContain('lookups that could not be built were left as they were');
  expect(results).toEqual([['sites', 'built', 'own.csv changed']]);
  expect(readFileSync(join(folder.lookups, 'geo.mmdb')).equals(former)).toBe(true);
  rmSync(join(folder.path, 'in', 'base.csv'));
  expect((await sync('geo')).stderr).toContain('base.csv: the file does not exist');
  expect(readFileSync(join(folder.lookups, 'geo.mmdb')).equals(former)).toBe(true);
});

test('guards keep an implausible lookup from replacing the former one, unless they are off or overridden', async () => {
  await sync();
  write('base.csv', 'network,country\n10.0.0.0/9,CZ\n', new Date('2026-03-01'));
  const refused = await sync('geo');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('geo: the new lookup geo fails a guard:');
  expect(refused.stderr).toContain('--max-lost 5%: 50% of the addresses are lost in IPv4');
  expect(refused.stderr).toContain('pass --force');
  expect(find('10.200.0.1')).toEqual({ country: 'CZ', city: 'Prague' });
  const declared = (guards: string) =>
    folder.declare(DECLARED.replace('  geo:\n', `  geo:\n    guards: ${guards}\n`));
  declared('{max_lost: 100%, probe: ["10.1.0.1 country DE"]}');
  expect((await sync('geo')).stderr).toContain('--probe');
  const forced = await sync('geo', '--force');
  expect(forced.results).toEqual([['geo', 'built', 'base.csv changed']]);
  expect(forced.stderr).toMatch(/geo: warning: forced by \w+: --probe/);
  expect(find('10.200.0.1')).toBeUndefined();
  write('base.csv', BASE.replace('10.0.0.0/8', '10.1.0.0/16'), new Date('2026-03-02'));
  declared('false');
  expect((await sync('geo')).results).toEqual([['geo', 'built', 'base.csv changed']]);
});

test('invalid declarations are rejected before anything is built', async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await folder.run('sync', ...args);
    return [code, stderr] as const;
  };
  expect(await refused('nowhere')).toEqual([
    2,
    expect.stringContaining('no lookup "nowhere" is declared; declared lookups: geo, sites'),
  ]);
  folder.declare('lookups: {geo: {layers: [{source: base.csv, colour: red}]}}');
  expect(await refused()).toEqual([
    1,
    expect.stringContaining('lookups.yaml:1: /lookups/geo/layers/0/colour'),
  ]);
  rmSync(join(folder.path, 'lookups.yaml'));
  expect((await refused())[1]).toContain('lookups.yaml cannot be read: the file does not exist');
  writeFileSync(join(folder.path, 'svccmd.conf'), '[iplookup]\nsource_path = in\ndestination_path = out\n');
  expect((await refused())[1]).toContain('iplookup.declarations is not set');
  expect(existsSync(join(folder.lookups, 'geo.mmdb'))).toBe(false);
});
