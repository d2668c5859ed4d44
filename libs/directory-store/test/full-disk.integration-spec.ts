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

    const data = Buffer.alloc(10_000);

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
      const writing: WriteOperation = { type: 'create', area, path: 'a.csv', kind: 'file', data };
      const path = area === 'library' ? join(folder, 'library', 'a.csv') : store.stateNode('a.csv');
      await expect(store.apply([writing], lock)).rejects.toMatchObject(unreachable(path, 'ENOSPC'));
      await lock.release();
    });

    test('pull names the file that it could not write', async () => {
      disk.fill();
      const node: StoredNode = {
        area: 'library',
        path: 'a.csv',
        data,
        version: 0,
        kind: 'file',
        hidesOthers: false,
      };
      await expect(pullLibrary([node], folder, { overwrite: true })).rejects.toMatchObject({
        name: 'PullFailedError',
        message: `cannot write ${join(folder, 'a.csv')} (ENOSPC); what was pulled is incomplete: make room or choose another folder, and pull again`,
      });
    });
  },
);
