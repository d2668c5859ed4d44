import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { readNodes, writeNode } from './support/kazoo.js';
import { LIBRARY, makeFolder, writeFiles } from './support/library-folder.js';
import type { Ended } from '../shell/run-svccmd.js';
import { svccmd } from './support/svccmd.js';

let zookeeper: ZookeeperServer;
let folder: string;
let root: string;
let counter = 0;

beforeAll(async () => {
  zookeeper = await startZookeeper();
});

afterAll(async () => zookeeper.stop());

beforeEach(async () => {
  folder = await makeFolder(LIBRARY);
  root = `/library-${(counter += 1)}`;
});

afterEach(async () => rm(folder, { recursive: true }));

const environment = () => ({
  SVCCMD_SOURCE_PATH: folder,
  SVCCMD_DESTINATION_URLS: zookeeper.address,
  SVCCMD_DESTINATION_PATH: root,
});
const load = async (...words: string[]): Promise<Ended> =>
  svccmd(['library', 'load', ...words], environment());
const report = ({ stdout }: Ended) => JSON.parse(stdout) as Record<string, unknown>;
const nodes = async () => {
  const found = await readNodes(zookeeper.address, root);
  return new Map([...found].map(([path, node]) => [path.slice(root.length + 1), node]));
};

test('an independent client reads the bytes of every file, and folders as nodes without data', async () => {
  expect(await load()).toMatchObject({ code: 0 });
  const stored = await nodes();
  for (const path of Object.keys(LIBRARY)) {
    expect(stored.get(path)?.data).toBe(await readFile(join(folder, path), 'latin1'));
  }
  expect(stored.get('Parsers/Linux')?.data).toBe('');
  expect(stored.size).toBe(Object.keys(LIBRARY).length + 5 + 2);
});

test('a second load writes no node, not even the version', async () => {
  await load();
  const before = await nodes();
  expect(report(await load('--json'))).toMatchObject({
    changed: false,
    created: 0,
    updated: 0,
    unchanged: 10,
  });
  expect(await nodes()).toEqual(before);
});

test('a changed file is updated in place, the others are left alone, the version rises by one', async () => {
  await load();
  const before = await nodes();
  await writeFiles(folder, { 'Lookups/ports.csv': 'port,name\n23,telnet\n' });
  expect(report(await load('--json'))).toMatchObject({ updated: 1, created: 0, deleted: 0, version: '3' });
  const after = await nodes();
  const changed = [...after].filter(([path, node]) => node.version !== before.get(path)?.version);
  expect(changed.map(([path]) => path).sort()).toEqual(['.version.yaml', 'Lookups/ports.csv']);
  expect(after.get('Lookups/ports.csv')?.created).toBe(before.get('Lookups/ports.csv')?.created);
  expect(before.get('.version.yaml')?.data).toBe('2');
  expect(after.get('.version.yaml')?.data).toBe('3');
});

test('files removed from the source are removed; others’ nodes are kept and reported', async () => {
  await load();
  await writeNode(zookeeper.address, `${root}/Parsers/Linux/theirs.yaml`, 'a: 1');
  await writeNode(zookeeper.address, `${root}/.disabled.yaml`, 'x: *');
  await writeFiles(folder, { Parsers: null });
  expect(report(await load('--json'))).toMatchObject({
    deleted: 2,
    foreign: ['Parsers/Linux/theirs.yaml'],
    kept: ['Parsers', 'Parsers/Linux'],
  });
  const stored = await nodes();
  expect([...stored.keys()]).toEqual(expect.arrayContaining(['.disabled.yaml', 'Parsers/Linux/theirs.yaml']));
  expect(stored.has('Parsers/Linux/10_ssh.yaml')).toBe(false);
});

test('every error in the source is reported with its place, and nothing is written', async () => {
  await load();
  const before = await nodes();
  await writeFiles(folder, {
    'Parsers/double.yaml': 'a: 1\nb: 2\na: 3\n',
    'Parsers/open.yaml': 'a: [1, 2\n',
    'v1.2/x.yaml': 'a: 1\n',
    'Lookups/large.csv': Buffer.alloc(1_000_001),
  });
  const { code, stderr } = await load();
  expect(code).toBe(1);
  expect(stderr).toContain('Parsers/double.yaml:3:1: error: the key "a" occurs twice');
  expect(stderr).toMatch(/Parsers\/open\.yaml:\d+:\d+: error/);
  expect(stderr).toMatch(/v1\.2: error: is a folder whose name has a dot/);
  expect(stderr).toMatch(/Lookups\/large\.csv: error: has 1000001 bytes/);
  expect(await nodes()).toEqual(before);
});

test('an empty source is refused unless it is asked for', async () => {
  await load();
  for (const path of ['Parsers', 'Correlators', 'Lookups', 'Dashboards'])
    await writeFiles(folder, { [path]: null });
  expect(await load()).toMatchObject({ code: 1, stderr: expect.stringContaining('--allow-empty') });
  expect(await load('--allow-empty')).toMatchObject({ code: 0 });
  expect([...(await nodes()).keys()].sort()).toEqual(['', '.version.yaml']);
});

test('a dry run prints the plan and writes nothing', async () => {
  const { stdout, code } = await load('--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain('+ Parsers/Linux/10_ssh.yaml\n');
  expect(await nodes()).toEqual(new Map());
});

test('another source is refused by name, may be compared, and replaces the first one with --take-over', async () => {
  const other = await makeFolder({ 'Parsers/other.yaml': 'x: 1' });
  await load();
  const refused = await load('--source', other);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    new RegExp(
      `^svccmd: zookeeper \\S+ was loaded from ${folder}, and loading ${other} would remove .* --take-over`,
    ),
  );
  const diff = await svccmd(['library', 'diff', '--source', other], environment());
  expect(diff).toMatchObject({ code: 0, stdout: expect.stringContaining('- Parsers/Linux/10_ssh.yaml') });
  expect(diff.stderr).toContain(`warning: was loaded from ${folder} until now; --take-over removes`);
  expect(report(await load('--source', other, '--take-over', '--json'))).toMatchObject({ created: 1 });
  expect([...(await nodes()).keys()].sort()).toEqual(['', '.version.yaml', 'Parsers', 'Parsers/other.yaml']);
  expect(await load()).toMatchObject({ code: 1 });
  await rm(other, { recursive: true });
});

test('--if-changed stops at the revision of the last load', async () => {
  await load();
  expect(report(await load('--if-changed', '--json'))).toMatchObject({ skipped: true, load: 1 });
  await writeFiles(folder, { 'Lookups/new.csv': 'a' });
  expect(report(await load('--if-changed', '--json'))).toMatchObject({ skipped: false, created: 1 });
});

test.each([
  [
    'a dead port',
    { SVCCMD_DESTINATION_URLS: '127.0.0.1:1', SVCCMD_DESTINATION_TIMEOUT: '1s' },
    4,
    /127\.0\.0\.1:1.*ECONNREFUSED/,
  ],
  ['no destination', { SVCCMD_DESTINATION_URLS: '' }, 3, /destination\.urls/],
  ['no source', { SVCCMD_SOURCE_PATH: '' }, 3, /source\.path/],
  ['a source that is not there', { SVCCMD_SOURCE_PATH: '/nowhere' }, 4, /\/nowhere \(ENOENT\)/],
  ['the root node as the library', { SVCCMD_DESTINATION_PATH: '/' }, 3, /cannot be the root/],
])('%s exits with its code and a remedy', async (_case, change, code, message) => {
  const outcome = await svccmd(['library', 'load'], { ...environment(), ...change });
  expect(outcome).toMatchObject({ code, stdout: '' });
  expect(outcome.stderr).toMatch(message);
});
