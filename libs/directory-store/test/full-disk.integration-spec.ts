import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredNode, WriteOperation } from '@svc/library-sync';
import { mayMount, mountSmallDisk, type SmallDisk } from '@svc/test-servers';
import { DirectoryLibraryStore, pullLibrary } from '../src/index.js';

let parent: string;
let folder: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'svc-full-'));
  folder = join(parent, 'stored');
});

afterEach(async () => rm(parent, { recursive: true }));

const holder = { id: 'one', by: 'a test', since: 'now' };
const openStore = async () => DirectoryLibraryStore.open({ folder, path: '/library' });
const unreachable = (path: string, code: string) => ({
  name: 'StoreUnreachableError',
  message: `cannot use ${path} (${code})`,
});

test('a lock that cannot be used is named', async () => {
  const lock = join(folder, '.svccmd', 'library', 'lock');
  await mkdir(lock, { recursive: true });
  const store = await openStore();
  await expect(store.lock(holder, 0)).rejects.toMatchObject(unreachable(lock, 'EISDIR'));
});

const data = Buffer.alloc(10_000);
const node = (path: string, kind: StoredNode['kind'] = 'file'): StoredNode => ({
  ...{ area: 'library', path, data, version: 0, kind, hidesOthers: false },
});
const create = (area: 'library' | 'state', path: string): WriteOperation => ({
  ...{ type: 'create', area, path, kind: 'file', data },
});
const failedPull = (path: string, reason: string) => ({
  name: 'PullFailedError',
  message: `cannot write ${join(folder, path)} (${reason}pull again with --force, or into another folder`,
});

test.each(['library', 'state'] as const)('a file of the %s that cannot be written is named', async (area) => {
  const store = await openStore();
  const lock = await store.lock(holder, 0);
  await store.prepare(lock);
  const name = 'n'.repeat(256);
  const path = area === 'library' ? join(folder, 'library', name) : store.stateNode(name);
  const writing = store.apply([create(area, name)], lock);
  await expect(writing).rejects.toMatchObject(unreachable(path, 'ENAMETOOLONG'));
  await lock.release();
});

test('pull names the file that it cannot write', async () => {
  const pulling = pullLibrary([node('a', 'folder'), node('a')], folder, { overwrite: true });
  await expect(pulling).rejects.toMatchObject(failedPull('a', 'EISDIR); what was pulled is incomplete: '));
});

test('an abort while waiting for the lock is not taken for a fault of the folder', async () => {
  const store = await openStore();
  const lock = await store.lock(holder, 0);
  const signal = AbortSignal.timeout(50);
  const waiting = store.lock({ ...holder, id: 'two' }, 10_000, signal);
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await lock.release();
});

(mayMount() ? describe : describe.skip)(
  'on a full disk (skipped where no file system may be mounted)',
  () => {
    let disk: SmallDisk;

    beforeEach(() => {
      disk = mountSmallDisk(folder, 1);
    });

    afterEach(() => disk.unmount());

    test('the lock is named', async () => {
      const store = await openStore();
      await (await store.lock(holder, 0)).release();
      disk.fill();
      const lock = join(folder, '.svccmd', 'library', 'lock');
      await expect(store.lock(holder, 0)).rejects.toMatchObject(unreachable(lock, 'ENOSPC'));
    });

    test.each(['library', 'state'] as const)('the file of the %s being written is named', async (area) => {
      const store = await openStore();
      const lock = await store.lock(holder, 0);
      await store.prepare(lock);
      disk.fill();
      const path = area === 'library' ? join(folder, 'library', 'a.csv') : store.stateNode('a.csv');
      await expect(store.apply([create(area, 'a.csv')], lock)).rejects.toMatchObject(
        unreachable(path, 'ENOSPC'),
      );
      await lock.release();
    });

    test('pull names the file that it could not write', async () => {
      disk.fill();
      const pulling = pullLibrary([node('a.csv')], folder, { overwrite: true });
      await expect(pulling).rejects.toMatchObject(
        failedPull('a.csv', 'ENOSPC); what was pulled is incomplete: make room, and '),
      );
    });
  },
);
