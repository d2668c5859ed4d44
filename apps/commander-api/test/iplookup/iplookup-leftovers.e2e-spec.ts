import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const DECLARED = `lookups:
  geo:
    layers:
      - {source: base.csv, input_ip_format: cidr}
      - {source: own.csv, input_ip_format: cidr}
  sites: {layers: [{source: own.csv, input_ip_format: cidr, drop_columns: [country]}]}
`;

let folder: LookupFolder;

beforeEach(() => {
  folder = makeLookupFolder();
  mkdirSync(folder.lookups);
  for (const [name, site] of [
    ['base.csv', 'Prague'],
    ['own.csv', 'depot'],
  ] as const) {
    // A file that was just written is read again by the next run.
    const longAgo = new Date('2026-01-01');
    utimesSync(folder.write(name, `network,country,site\n10.0.0.0/8,CZ,${site}\n`), longAgo, longAgo);
  }
  folder.declare(DECLARED);
});

const sync = async () => {
  const { stdout } = await folder.run('sync', '--json');
  const { lookups } = JSON.parse(stdout) as { lookups: { lookup: string; result: string }[] };
  return lookups.map(({ lookup, result }) => [lookup, result]);
};

test('states and layers of lookups that are no longer declared are removed after a day', async () => {
  await sync();
  const state = join(folder.lookups, '.sync');
  const layers = readdirSync(join(state, 'layers'));
  const yesterday = new Date(Date.now() - 25 * 60 * 60_000);
  for (const name of layers) utimesSync(join(state, 'layers', name), yesterday, yesterday);
  utimesSync(join(state, 'sites.json'), yesterday, yesterday);
  utimesSync(join(state, 'geo.json'), yesterday, yesterday);
  folder.declare(DECLARED.slice(0, DECLARED.indexOf('  sites:')));
  await sync();
  expect(readdirSync(state).sort()).toEqual(['geo.json', 'layers']);
  expect(readdirSync(join(state, 'layers')).filter((name) => name.endsWith('.mmdb'))).toHaveLength(2);
});

test('what killed runs left incomplete is removed by the next run, even if that writes other files', async () => {
  await sync();
  const state = join(folder.lookups, '.sync');
  const { pid: ended } = spawnSync('true');
  const partials = (pid: number) =>
    [
      [folder.lookups, 'gone.mmdb'],
      [folder.lookups, 'gone.mmdb.gz'],
      [state, 'gone.json'],
      [join(state, 'layers'), `${'a'.repeat(40)}.mmdb`],
      [join(state, 'layers'), `${'a'.repeat(40)}.json`],
    ].map(([parent, name]) => join(parent!, `.${name}.${hostname()}~${pid}~mark.partial`));
  const [left, running] = [partials(ended), partials(process.ppid)];
  for (const path of [...left, ...running]) writeFileSync(path, 'begun');
  expect(await sync()).toEqual([
    ['geo', 'unchanged'],
    ['sites', 'unchanged'],
  ]);
  expect(left.filter((path) => existsSync(path))).toEqual([]);
  expect(running.filter((path) => !existsSync(path))).toEqual([]);
});
