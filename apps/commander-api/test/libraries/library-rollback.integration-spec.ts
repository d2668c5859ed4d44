import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitRepository, startGitServer, type GitServer } from '@svc/test-servers';
import { makeFolder, writeFiles } from './support/library-folder.js';
import type { Ended } from '../shell/run-svccmd.js';
import { svccmd } from './support/svccmd.js';

let folder: string;
let state: string;
let stored: string;

beforeEach(async () => {
  [folder, state, stored] = await Promise.all([makeFolder(), makeFolder(), makeFolder()]);
});

afterEach(async () => {
  for (const one of [folder, state, stored]) await rm(one, { recursive: true });
});

const environment = () => ({
  SVCCMD_SOURCE_PATH: folder,
  SVCCMD_SOURCE_STATE_PATH: state,
  SVCCMD_DESTINATION_URLS: `file://${stored}`,
  SVCCMD_DESTINATION_PATH: '/library',
});
const library = async (...words: string[]): Promise<Ended> => svccmd(['library', ...words], environment());
const content = async () => readFile(join(stored, 'library', 'a.csv'), 'utf8');

async function load(text: string): Promise<void> {
  await writeFiles(folder, { 'a.csv': text });
  expect(await library('load')).toMatchObject({ code: 0 });
}

test('the oldest of ten loads can be put back, one before it no more', async () => {
  for (let count = 1; count <= 11; count += 1) await load(`${count}`);
  expect(await library('rollback', '--to', '2')).toMatchObject({ code: 0 });
  expect(await content()).toBe('2');
  expect(await library('rollback', '--to', '2')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'svccmd: no such load to roll back to; known loads: 12, 11, 10, 9, 8, 7, 6, 5, 4, 3 (see svccmd library history)\n',
  });
  expect(await content()).toBe('2');
});

test('a load with a missing or incomplete copy cannot be restored, and nothing is changed', async () => {
  for (const text of ['1', '2', '3']) await load(text);
  const missing = (number: number) => ({
    code: 1,
    stdout: '',
    stderr: `svccmd: no copy of load ${number} is kept in ${state} (ENOENT)\n`,
  });
  const [destination] = await readdir(join(state, 'loads'));
  await rm(join(state, 'loads', destination!, '1.json'));
  expect(await library('rollback', '--to', '1')).toEqual(missing(1));
  await rm(join(state, 'contents'), { recursive: true });
  expect(await library('rollback')).toEqual(missing(2));
  expect(await content()).toBe('3');
});

test('a load whose list of files is incomplete cannot be restored, and without the record of the last one drift is unknown', async () => {
  for (const text of ['1', '2']) await load(text);
  const loads = join(stored, '.svccmd', 'library', 'loads');
  const unchanged = 'the library is unchanged since the last load';
  expect((await library('status', '--drift')).stdout).toContain(unchanged);
  await rm(join(loads, '1', '0'));
  await rm(join(loads, '2', 'record'));
  expect(await library('rollback', '--to', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^svccmd: the list of what load 1 wrote is incomplete at .*; restore another/,
    ),
  });
  expect(await content()).toBe('2');
  expect((await library('status', '--drift')).stdout).not.toContain(unchanged);
});

test('after the destination was emptied, a load that has the number of an earlier one is put back', async () => {
  await load('former');
  await rm(stored, { recursive: true });
  await mkdir(stored);
  await load('1');
  await load('2');
  expect(await library('rollback')).toMatchObject({ code: 0 });
  expect(await content()).toBe('1');
});

test('a copy of another load is not put back, and the next load without changes keeps one of its own', async () => {
  await load('1');
  const [destination] = await readdir(join(state, 'loads'));
  const copyOf = (number: number) => join(state, 'loads', destination!, `${number}.json`);
  await load('2');
  await copyFile(copyOf(1), copyOf(2));
  await load('2');
  await copyFile(copyOf(2), copyOf(1));
  expect(await library('rollback', '--to', '1')).toEqual({
    code: 1,
    stdout: '',
    stderr: `svccmd: no copy of load 1 is kept in ${state} (it is damaged)\n`,
  });
  expect(await content()).toBe('2');
  await load('3');
  expect(await library('rollback', '--to', '2')).toMatchObject({ code: 0 });
  expect(await content()).toBe('2');
});

test('the command that completes an interrupted rollback restores the load that it was to restore', async () => {
  for (const text of ['1', '2', '3']) await load(text);
  const stateOf = (path: string) => join(stored, '.svccmd', 'library', path);
  const edit = async (from: string, to: string, change: object) => {
    const json = JSON.parse(await readFile(stateOf(from), 'utf8')) as object;
    await writeFile(stateOf(to), JSON.stringify({ ...json, ...change }));
  };
  // As after a `rollback --to 1` that was killed.
  await mkdir(stateOf('loads/4'));
  const rollback = { load: 4, kind: 'rollback', finished_at: undefined, parts: 0 };
  await edit('loads/1/record', 'loads/4/record', rollback);
  const pending = { load: 4, by: 'root', since: 'now', restores: 1 };
  await edit('manifest', 'manifest', { pending });
  const { code, stderr } = await library('load', '--if-changed');
  expect(code).toBe(1);
  const [, command = ''] = /run svccmd library (.*?) to complete it/.exec(stderr) ?? [];
  expect((await library('status')).stdout).toContain(`run svccmd library ${command} to complete it`);
  expect(await library(...command.split(' '))).toMatchObject({ code: 0 });
  expect(await content()).toBe('1');
  expect((await library('load', '--if-changed')).stdout).toContain('nothing to do');
});

test('a load is put back after the address of the destination was written differently', async () => {
  await load('1');
  await load('2');
  const other = join(folder, '.other');
  await symlink(stored, other);
  const renamed = { ...environment(), SVCCMD_DESTINATION_URLS: `file://${other}` };
  expect(await svccmd(['library', 'rollback'], renamed)).toMatchObject({ code: 0, stderr: '' });
  expect(await content()).toBe('1');
  expect(await library('rollback', '--to', '3')).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  ['has fewer files', { 'b.csv': null }, { 'b.csv': null }, '1'],
  ['has more files', { 'b.csv': null, 'c.csv': '3' }, { 'b.csv': '2' }, '2'],
  ['has other files', { 'b.csv': null, 'c.csv': '3' }, { 'b.csv': '2', 'c.csv': null }, '2'],
])(
  'a load that changes nothing, of a source that %s than the last load, leaves the copy of that load alone',
  async (_, change, unseen, last) => {
    await writeFiles(folder, { 'a.csv': '1', 'b.csv': '2' });
    await library('load');
    await writeFiles(folder, change);
    if (last === '2') await library('load', '--no-prune');
    else await writeFiles(folder, { 'b.csv': '2' });
    const [destination] = await readdir(join(state, 'loads'));
    const copy = async () => readFile(join(state, 'loads', destination!, `${last}.json`), 'utf8');
    const kept = await copy();
    await writeFiles(folder, unseen);
    expect((await library('load', '--no-prune')).stdout).toContain(`unchanged since load ${last}`);
    expect(await copy()).toBe(kept);
    await load('bad');
    expect(await library('rollback', '--to', last)).toMatchObject({ code: 0 });
    expect(await content()).toBe('1');
  },
);

test('files that the restored load had kept stay; one that has changed or disappeared since is reported', async () => {
  const names = async () => (await readdir(join(stored, 'library'))).sort();
  await writeFiles(folder, { 'a.csv': '1', 'd/b.csv': '1', 'c.csv': '1', 'e.csv': '1' });
  await library('load');
  await writeFiles(folder, { 'a.csv': '2', 'd/b.csv': null, 'c.csv': null, 'e.csv': null });
  await rm(join(folder, 'd'), { recursive: true });
  await library('load', '--no-prune');
  await writeFiles(folder, { 'a.csv': '3', 'c.csv': 'new', 'f.csv': '3' });
  await library('load', '--no-prune');
  await rm(join(stored, 'library', 'e.csv'));
  const { code, stderr } = await library('rollback');
  expect(code).toBe(0);
  expect(await content()).toBe('2');
  expect(await names()).toEqual(['.version.yaml', 'a.csv', 'd']);
  expect(await readFile(join(stored, 'library', 'd', 'b.csv'), 'utf8')).toBe('1');
  const warnings = stderr.split('\n').filter((line) => line.includes('is not restored'));
  expect(warnings.map((line) => line.split(': ').slice(0, 2))).toEqual([
    ['c.csv', 'warning'],
    ['e.csv', 'warning'],
  ]);
});

test('what was loaded is restored whatever the names, the size and an empty source are allowed to be now', async () => {
  const any = { ...environment(), SVCCMD_DESTINATION_NAMES: 'any' };
  const large = '1'.repeat(100);
  await writeFiles(folder, { 'a.csv': large, 'b.c/~d.csv': '1' });
  expect(await svccmd(['library', 'load'], any)).toMatchObject({ code: 0 });
  await writeFiles(folder, { 'a.csv': null, 'b.c/~d.csv': null });
  await rm(join(folder, 'b.c'), { recursive: true });
  expect(await library('load', '--allow-empty')).toMatchObject({ code: 0 });
  await load('3');
  const small = { ...environment(), SVCCMD_SOURCE_MAX_BYTES: '50' };
  expect(await svccmd(['library', 'rollback', '2'], small)).toMatchObject({ code: 0, stderr: '' });
  expect(await content()).toBe(large);
  expect(await svccmd(['library', 'rollback', '--to', '2'], small)).toMatchObject({ code: 0, stderr: '' });
  expect(await readdir(join(stored, 'library'))).toEqual(['.version.yaml']);
});

describe('of a git source', () => {
  let repository: GitRepository;
  let server: GitServer;
  let first: string;

  beforeEach(async () => {
    repository = await GitRepository.create();
    server = await startGitServer({ root: repository.root });
    first = await repository.commit({ 'a.csv': '1' });
  });

  afterEach(async () => {
    await server.stop();
    await repository.remove();
  });

  const ofGit = async (words: readonly string[], change: NodeJS.ProcessEnv = {}): Promise<Ended> => {
    const source = `git://${server.address}/library.git`;
    return svccmd(['library', ...words], { ...environment(), SVCCMD_SOURCE_PATH: source, ...change });
  };
  const json = async (...words: string[]): Promise<unknown> => {
    const { stdout } = await ofGit([...words, '--json']);
    return JSON.parse(stdout);
  };
  const loadTwo = async (change: NodeJS.ProcessEnv = {}): Promise<string> => {
    await ofGit(['load'], change);
    const second = await repository.commit({ 'a.csv': '2' });
    expect(await ofGit(['load'], change)).toMatchObject({ code: 0 });
    return second;
  };

  test('a load is put back while the git server is away, and is known by its commit', async () => {
    const second = await loadTwo();
    server.faults.hangUps = Infinity;
    expect(await json('rollback')).toMatchObject({ revision: first, updated: 1, load: 3 });
    expect(await content()).toBe('1');
    const history = (await json('history')) as unknown[];
    expect(history[0]).toMatchObject({
      ...{ load: 3, source_kind: 'git', revision: first, origin: `${server.url}/library.git` },
    });
    delete server.faults.hangUps;
    // The source stands where it stood: what was rolled back does not come again by itself.
    expect(await json('load', '--if-changed')).toMatchObject({ skipped: true });
    expect(await json('rollback', '--to', '2')).toMatchObject({ revision: second, load: 4 });
    expect(await content()).toBe('2');
  });

  test('without a copy, too, files that the restored load had kept stay', async () => {
    const noState = { SVCCMD_SOURCE_STATE_PATH: '' };
    await repository.commit({ 'b.csv': '1' });
    await ofGit(['load'], noState);
    await repository.commit({ 'a.csv': '2', 'b.csv': null });
    await ofGit(['load', '--no-prune'], noState);
    await repository.commit({ 'a.csv': '3' });
    await ofGit(['load', '--no-prune'], noState);
    expect(await ofGit(['rollback'], noState)).toMatchObject({ code: 0 });
    expect((await readdir(join(stored, 'library'))).sort()).toEqual(['.version.yaml', 'a.csv', 'b.csv']);
    expect(await content()).toBe('2');
  });

  test('a source.ref that is the id of an annotated tag does not undo a rollback, and is not loaded twice', async () => {
    await loadTwo();
    await repository.inWorkTree('tag', '--annotate', 'v2', '--message', 'two');
    await repository.inWorkTree('push', '--quiet', 'origin', 'v2');
    const tag = (await repository.inWorkTree('rev-parse', 'v2')).trim();
    await json('load', '--ref', tag);
    expect(await json('load', '--if-changed', '--ref', tag)).toMatchObject({ skipped: true, load: 2 });
    await json('rollback');
    expect(await json('load', '--if-changed', '--ref', tag)).toMatchObject({ skipped: true, load: 3 });
    expect(await content()).toBe('1');
  });

  test('a name that a folder cannot hold is refused before anything is written', async () => {
    const long = `${'n'.repeat(252)}.csv`;
    // Git itself could not check out such a file.
    const blob = (await repository.inWorkTree('hash-object', '-w', 'a.csv')).trim();
    await repository.inWorkTree('update-index', '--add', '--cacheinfo', `100644,${blob},${long}`);
    await repository.inWorkTree('commit', '--quiet', '--message', 'Long');
    await repository.inWorkTree('push', '--quiet', 'origin', 'HEAD:main');
    for (const command of ['validate', 'load']) {
      const { code, stdout, stderr } = await ofGit([command]);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain(
        `${long}: error: has a name of more than 255 bytes, which a folder cannot hold; shorten it`,
      );
    }
    expect(await readdir(join(stored, 'library')).catch(() => [])).toEqual([]);
  });

  test('a load is put back after its commit was taken away by a push', async () => {
    await loadTwo();
    await repository.inWorkTree('checkout', '--quiet', '--orphan', 'other');
    await repository.inWorkTree('commit', '--quiet', '--message', 'Anew');
    await repository.inWorkTree('push', '--quiet', '--force', 'origin', 'other:main');
    server.faults.onlyAdvertised = true;
    expect(await json('rollback')).toMatchObject({ revision: first, load: 3 });
    expect(await content()).toBe('1');
  });

  test('a load whose copy is gone or damaged is put back by its commit', async () => {
    await loadTwo();
    for (const name of await readdir(join(state, 'contents'))) {
      await writeFile(join(state, 'contents', name), '3');
    }
    expect(await json('rollback')).toMatchObject({ revision: first, load: 3 });
    expect(await content()).toBe('1');
    await rm(state, { recursive: true });
    expect(await json('rollback', '--to', '2')).toMatchObject({ updated: 1, load: 4 });
    expect(await content()).toBe('2');
  });

  test('without a copy and a server nothing is changed, and both reasons are given', async () => {
    const noState = { SVCCMD_SOURCE_STATE_PATH: '' };
    await loadTwo(noState);
    server.faults.status = 404;
    const stderr = `svccmd: cannot read ${server.url}/library.git: repository not found (404); a private one needs a user and token in the address; the server says: fault; load 1 has no copy: set source.state_path for the loads to come\n`;
    expect(await ofGit(['rollback'], noState)).toEqual({ code: 4, stdout: '', stderr });
    expect(await ofGit(['rollback'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/; no copy of load 1 is kept in \S+ \(ENOENT\)\n$/),
    });
    expect(await content()).toBe('2');
  });
});
