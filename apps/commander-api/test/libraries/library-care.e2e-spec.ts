import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GitRepository,
  startGitServer,
  startZookeeper,
  type GitServer,
  type ZookeeperServer,
} from '@svc/test-servers';
import { readNodes, writeNode } from './support/kazoo.js';
import { LIBRARY, makeFolder, writeFiles } from './support/library-folder.js';
import type { Ended } from '../shell/run-svccmd.js';
import { startSvccmd, svccmd } from './support/svccmd.js';

let zookeeper: ZookeeperServer;
let repository: GitRepository;
let git: GitServer;
let folder: string;
let state: string;
let root: string;
let counter = 0;

beforeAll(async () => {
  zookeeper = await startZookeeper();
  repository = await GitRepository.create();
  git = await startGitServer({ root: repository.root, user: 'deploy', token: 's3cret' });
});

afterAll(async () => {
  await zookeeper.stop();
  await git.stop();
  await repository.remove();
});

beforeEach(async () => {
  folder = await makeFolder(LIBRARY);
  state = await makeFolder();
  root = `/care-${(counter += 1)}`;
});

afterEach(async () => {
  await rm(folder, { recursive: true });
  await rm(state, { recursive: true });
});

const environment = (change: NodeJS.ProcessEnv = {}) => ({
  SVCCMD_SOURCE_PATH: folder,
  SVCCMD_SOURCE_STATE_PATH: state,
  SVCCMD_DESTINATION_URLS: zookeeper.address,
  SVCCMD_DESTINATION_PATH: root,
  ...change,
});
const library = async (words: string, change: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  svccmd(['library', ...words.split(' ')], environment(change));
const json = async <T = Record<string, unknown>>(
  words: string,
  change: NodeJS.ProcessEnv = {},
): Promise<T> => {
  const { stdout, stderr } = await library(`${words} --json`, change);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as T;
};
const contentOf = async (path: string) =>
  (await readNodes(zookeeper.address, `${root}/${path}`)).get(`${root}/${path}`)?.data;

test('rollback restores the previous load from its copy, and --if-changed keeps it until the source changes', async () => {
  await library('load');
  await writeFiles(folder, { 'Lookups/ports.csv': 'changed', 'Lookups/new.csv': 'new' });
  await library('load');
  expect(await json('rollback')).toMatchObject({ load: 3, updated: 1, deleted: 1, version: '4' });
  expect(await contentOf('Lookups/ports.csv')).toBe(LIBRARY['Lookups/ports.csv']);
  expect(await json('load --if-changed')).toMatchObject({ skipped: true });
  await writeFiles(folder, { 'Lookups/new.csv': 'newer' });
  expect(await json('load --if-changed')).toMatchObject({ skipped: false, created: 1, updated: 1 });
});

test('rollback --to names any kept load', async () => {
  await library('load');
  for (const text of ['two', 'three', 'four']) {
    await writeFiles(folder, { 'Lookups/ports.csv': text });
    await library('load');
  }
  await library('rollback --to 2');
  expect(await contentOf('Lookups/ports.csv')).toBe('two');
  const loads = await json<{ load: number }[]>('history');
  expect(loads.map(({ load }) => load)).toEqual([5, 4, 3, 2, 1]);
  expect(await library('rollback --to 9')).toMatchObject({
    code: 1,
    stderr: 'svccmd: no such load to roll back to; known loads: 5, 4, 3, 2, 1 (see svccmd library history)\n',
  });
});

test('without copies a git source is rolled back by its commit', async () => {
  const change = {
    SVCCMD_SOURCE_PATH: `git://deploy:s3cret@${git.address}/library.git`,
    SVCCMD_SOURCE_STATE_PATH: '',
  };
  const first = await repository.commit({ 'a.yaml': 'x: 1\n' });
  await library('load', change);
  await repository.commit({ 'a.yaml': 'x: 2\n', 'b.yaml': 'y: 1\n' });
  await library('load', change);
  expect(await json('rollback', change)).toMatchObject({ revision: first, updated: 1, deleted: 1 });
  expect(await contentOf('a.yaml')).toBe('x: 1\n');
  expect(await json('load --if-changed', change)).toMatchObject({ skipped: true });
  const moved = {
    ...change,
    SVCCMD_SOURCE_PATH: change.SVCCMD_SOURCE_PATH.replace('library.git', 'moved.git'),
  };
  expect(await library('rollback --to 1', moved)).toEqual({
    code: 3,
    stdout: '',
    stderr: `svccmd: load 1 came from ${git.url}/library.git, but source.path is now ${git.url}/moved.git; change it back first\n`,
  });
});

test('a folder without copies cannot be rolled back, and the remedy is given', async () => {
  const change = { SVCCMD_SOURCE_STATE_PATH: '' };
  await library('load', change);
  await writeFiles(folder, { 'Lookups/ports.csv': 'changed' });
  await library('load', change);
  expect(await library('rollback', change)).toMatchObject({
    code: 3,
    stderr:
      'svccmd: load 1 came from a folder, and no copies are kept: set source.state_path for the loads to come\n',
  });
});

test('status shows the load, the version, and with --drift what others changed', async () => {
  expect(await json('status')).toEqual({
    destination: `zookeeper ${zookeeper.address}${root}`,
    load: 0,
    version: '1',
  });
  await library('load');
  await writeNode(zookeeper.address, `${root}/Lookups/ports.csv`, 'edited by hand');
  expect(await json('status --drift')).toMatchObject({
    load: 1,
    version: '2',
    last: { files: 5, source: folder },
    drift: [{ path: 'Lookups/ports.csv', change: 'changed' }],
  });
  expect(await json('load')).toMatchObject({ updated: 1 });
});

test('a damaged loader node is named with the remedy; copies require a usable folder', async () => {
  const first = await library('load', { SVCCMD_SOURCE_STATE_PATH: '/proc/svccmd' });
  expect(first).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^\(library\): warning: could not keep a copy for rollback: ENOENT: .* '\/proc\/svccmd'\n$/,
    ),
  });
  const manifest = `/svccmd/libraries/${root.slice(1)}/manifest`;
  await writeNode(zookeeper.address, manifest, 'garbage');
  const stderr = `svccmd: ${manifest} is damaged (it is not JSON); remove it, and the next load runs as if it had never existed\n`;
  for (const words of ['status', 'load']) expect(await library(words)).toMatchObject({ code: 1, stderr });
});

test('diff prints what a load would change, and --exit-code reports it to scripts', async () => {
  await library('load');
  expect(await library('diff --exit-code')).toMatchObject({ code: 0 });
  await writeFiles(folder, { 'Lookups/ports.csv': null, 'Lookups/new.csv': 'n' });
  const { code, stdout } = await library('diff --exit-code');
  expect(code).toBe(1);
  expect(stdout).toContain('+ Lookups/new.csv\n- Lookups/ports.csv\n');
});

test('validate needs no destination and lists every problem', async () => {
  const change = { SVCCMD_DESTINATION_URLS: '' };
  expect(await library('validate', change)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('valid: 5 files'),
  });
  await writeFiles(folder, { 'Parsers/a.yaml': 'a: *none\n', 'Parsers/b.yaml': '\xff' });
  const { code, stdout } = await library('validate', change);
  expect(code).toBe(1);
  expect(stdout).toContain('Parsers/a.yaml:1:4: error: *none has no anchor before it');
});

test('pull writes the library into an empty folder, and into no other unless forced', async () => {
  const files = { ...LIBRARY, LICENSE: '' };
  await writeFiles(folder, files);
  await library('load');
  const target = join(state, 'pulled');
  expect(await json(`pull ${target}`)).toMatchObject({ files: 6, folders: 5 });
  for (const [path, content] of Object.entries(files)) {
    expect(await readFile(join(target, path), 'utf8')).toBe(content);
  }
  expect(await library(`pull ${target}`)).toMatchObject({
    code: 1,
    stderr: `svccmd: ${target} is not empty; choose another folder, or pass --force to overwrite what is there\n`,
  });
  expect(await library(`pull --force ${target}`)).toMatchObject({ code: 0 });
});

test('pull never writes through a link', async () => {
  await library('load');
  const target = await makeFolder();
  await symlink(folder, join(target, 'Lookups'));
  await writeFiles(folder, { 'Lookups/ports.csv': 'mine' });
  expect(await library(`pull --force ${target}`)).toMatchObject({
    code: 1,
    stderr: `svccmd: Lookups: is a link in ${target}; svccmd does not write through links\n`,
  });
  expect(await readFile(join(folder, 'Lookups/ports.csv'), 'utf8')).toBe('mine');
  await rm(target, { recursive: true });
});

test('watch loads changes until stopped', async () => {
  const child = startSvccmd(['library', 'watch', '--interval', '1'], environment());
  const output = { text: '' };
  child.stdout!.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  await until(() => output.text.includes('load 1 is done'));
  await writeFiles(folder, { 'Lookups/ports.csv': 'changed' });
  await until(() => output.text.includes('load 2 is done'));
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  expect(await contentOf('Lookups/ports.csv')).toBe('changed');
});

test('watch gives up on an invalid configuration', async () => {
  const { code, stderr } = await library('watch --interval 1', { SVCCMD_DESTINATION_ACL: 'auth' });
  expect(code).toBe(3);
  expect(stderr).toMatch(/^checking every 1 s\nsvccmd: destination: .*\n$/);
  expect(await library('watch --interval 0.01')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be a number of seconds from 1 to 86400'),
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
