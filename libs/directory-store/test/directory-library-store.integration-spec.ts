import { randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BlockedLibraryError,
  type LoadOptions,
  type LoadReport,
  loadLibrary,
  readDrift,
  readHistory,
  readStatus,
  StoreUnreachableError,
} from '@svc/library-sync';
import { type Files, fixedSource, LIBRARY_STORE_FACTS, PLAIN_LOAD } from '@svc/library-sync/testing';
import { DirectoryLibraryStore } from '../src/index.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-directory-'));
});

afterEach(async () => {
  if (isRoot) process.seteuid!(0);
  await rm(folder, { recursive: true });
});

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

/**
 * Root can read everything, so this changes the owner of all but one path, and the process's user until the test
 * ends.
 */
async function giveAway(except: string): Promise<void> {
  if (!isRoot) return;
  for (const name of ['', ...(await readdir(folder, { recursive: true }))]) {
    if (name === '' || name !== except) await chown(join(folder, name), NOBODY, NOBODY);
  }
  process.seteuid!(NOBODY);
}

function putUnreadable(root: string): (path: string) => Promise<void> {
  return async (path) => {
    await writeFile(join(folder, root, path), 'theirs', { mode: isRoot ? 0o600 : 0 });
    await giveAway(join(root, path));
  };
}

test.each(LIBRARY_STORE_FACTS)('$name', async ({ check }) => {
  await check(async () => DirectoryLibraryStore.open({ folder, path: '/library' }), putUnreadable('library'));
});

test.each(LIBRARY_STORE_FACTS)('in the folder itself: $name', async ({ check }) => {
  await check(async () => DirectoryLibraryStore.open({ folder, path: '/' }), putUnreadable(''));
});

test('an inaccessible folder is reported as unreadable', async () => {
  const store = await DirectoryLibraryStore.open({ folder, path: '/' });
  const theirs = join(folder, 'theirs');
  await mkdir(theirs);
  await giveAway('');
  await chmod(theirs, 0);
  const found: object[] = [];
  await store.readTree(({ path, kind, hidesOthers }) => found.push({ path, kind, hidesOthers }));
  await chmod(theirs, 0o700);
  expect(found).toEqual([{ path: 'theirs', kind: 'unreadable', hidesOthers: true }]);
});

test('reading leaves no trace, even without a folder', async () => {
  const missing = join(folder, 'not', 'there');
  for (const place of [folder, missing]) {
    const store = await DirectoryLibraryStore.open({ folder: place, path: '/library' });
    await expect(readStatus(store, '.version.yaml')).resolves.toMatchObject({ load: 0, version: '1' });
    await expect(readHistory(store)).resolves.toEqual([]);
    await expect(readDrift(store)).resolves.toEqual([]);
    await store.readTree(() => {
      throw new Error('nothing is stored');
    });
  }
  await expect(readdir(folder)).resolves.toEqual([]);
});

test('a file in place of the folder is reported on opening and on locking', async () => {
  const place = join(folder, 'file');
  await writeFile(place, '');
  const open = DirectoryLibraryStore.open({ folder: place, path: '/library' });
  await expect(open).rejects.toThrow(new StoreUnreachableError(`cannot use ${place} (ENOTDIR)`));
  const late = await DirectoryLibraryStore.open({ folder: join(folder, 'late'), path: '/library' });
  await writeFile(join(folder, 'late'), '');
  await expect(late.lock({ id: '1', by: 'a test', since: 'now' }, 0)).rejects.toThrow(StoreUnreachableError);
});

/** @param writes the load dies after this many single writes */
async function load(
  files: Files,
  writes = Infinity,
  options: Partial<LoadOptions> = {},
): Promise<LoadReport> {
  const store = await DirectoryLibraryStore.open({ folder, path: '/library' });
  const apply = store.apply.bind(store);
  let left = writes;
  store.apply = async (batch, lock) => {
    for (const operation of batch) {
      if ((left -= 1) < 0) throw new StoreUnreachableError('it died');
      await apply([operation], lock);
    }
  };
  const run = { id: randomUUID(), by: 'a test', now: () => new Date(0) };
  return loadLibrary(fixedSource(files), store, { ...PLAIN_LOAD, ifChanged: true, ...options }, run);
}

test('a load that dies after any of its writes is completed by the next, which increments the version', async () => {
  const readVersion = async () => Number(await readFile(join(folder, 'library/.version.yaml'), 'utf8'));
  await load({ 'a.yaml': 'first', 'b.yaml': 'first' });
  for (let writes = 0, isComplete = false; !isComplete; writes += 1) {
    const files = { 'a.yaml': `after ${writes}`, 'b.yaml': `after ${writes}` };
    const before = await readVersion();
    const dying = await load(files, writes).catch(() => undefined);
    isComplete = dying !== undefined;
    await load(files);
    expect({ writes, isNewer: (await readVersion()) > before }).toEqual({ writes, isNewer: true });
  }
});

const PUT_IN_PLACE: [string, (path: string) => Promise<void>][] = [
  ['file', async (path) => writeFile(path, 'theirs')],
  ['link', async (path) => symlink(tmpdir(), path)],
];

test.each(PUT_IN_PLACE)(
  "others' %s where the source has a folder stops the load before its first write, unless everything is pruned",
  async (_, put) => {
    const theirs = join(folder, 'library/Parsers');
    await load({ 'a.yaml': 'a: 1' });
    await put(theirs);
    const files = { 'a.yaml': 'a: 2', 'Parsers/x.yaml': 'k: 1' };
    for (const dryRun of [true, false]) {
      const error = await load(files, Infinity, { dryRun }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BlockedLibraryError);
      expect(error).toMatchObject({ findings: [{ path: 'Parsers', code: 'file-in-the-way' }] });
    }
    await expect(readFile(join(folder, 'library/a.yaml'), 'utf8')).resolves.toBe('a: 1');
    await expect(load(files, Infinity, { prune: 'all' })).resolves.toMatchObject({ created: 1, updated: 2 });
    await expect(readdir(theirs)).resolves.toEqual(['x.yaml']);
  },
);

test.each(PUT_IN_PLACE)(
  "others' %s in place of a loaded folder is drift, and the next load restores the folder",
  async (_, put) => {
    const theirs = join(folder, 'library/Parsers');
    await load({ 'Parsers/x.yaml': 'k: 1' });
    await rm(theirs, { recursive: true });
    await put(theirs);
    const store = await DirectoryLibraryStore.open({ folder, path: '/library' });
    await expect(readDrift(store)).resolves.toEqual([
      { path: 'Parsers', change: 'changed' },
      { path: 'Parsers/x.yaml', change: 'missing' },
    ]);
    await expect(load({ 'Parsers/x.yaml': 'k: 2' })).resolves.toMatchObject({ created: 1, updated: 1 });
    await expect(readDrift(store)).resolves.toEqual([]);
  },
);

test('an entry whose name is not UTF-8 keeps its folder, and stops no load', async () => {
  await load({ 'a.yaml': 'a: 1', 'Parsers/x.yaml': 'k: 1' });
  const name = Buffer.concat([Buffer.from(join(folder, 'library/Parsers/')), Buffer.from([0xff])]);
  await writeFile(name, 'theirs');
  const report = await load({ 'a.yaml': 'a: 1' });
  expect(report).toMatchObject({ deleted: 1, kept: ['Parsers'] });
  await expect(readdir(join(folder, 'library/Parsers'), { encoding: 'buffer' })).resolves.toHaveLength(1);
  await rm(name);
  await expect(load({ 'a.yaml': 'a: 2' })).resolves.toMatchObject({ deleted: 1, kept: [] });
});

test('a link in place of an empty file is drift, and the next load replaces it', async () => {
  const path = join(folder, 'library/empty.yaml');
  await load({ 'empty.yaml': '' });
  await rm(path);
  await symlink('/etc/hosts', path);
  const store = await DirectoryLibraryStore.open({ folder, path: '/library' });
  await expect(readDrift(store)).resolves.toEqual([{ path: 'empty.yaml', change: 'changed' }]);
  await expect(load({ 'empty.yaml': '' }, Infinity, { ifChanged: false })).resolves.toMatchObject({
    updated: 1,
  });
  expect((await lstat(path)).isFile()).toBe(true);
});
