import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDrift, readHistory, readStatus, StoreUnreachableError } from '@svc/library-sync';
import { LIBRARY_STORE_FACTS } from '@svc/library-sync/testing';
import { DirectoryLibraryStore } from '../src/index.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-directory-'));
});

afterEach(async () => rm(folder, { recursive: true }));

test.each(LIBRARY_STORE_FACTS)('$name', async ({ check }) => {
  await check(async () => DirectoryLibraryStore.open({ folder, path: '/library' }));
});

test.each(LIBRARY_STORE_FACTS)('in the folder itself: $name', async ({ check }) => {
  await check(async () => DirectoryLibraryStore.open({ folder, path: '/' }));
});

test('who only looks leaves no trace, also where there is no folder yet', async () => {
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

test('a file in the place of the folder is told when it is opened, and when it is locked', async () => {
  const place = join(folder, 'file');
  await writeFile(place, '');
  const open = DirectoryLibraryStore.open({ folder: place, path: '/library' });
  await expect(open).rejects.toThrow(new StoreUnreachableError(`cannot use ${place} (ENOTDIR)`));
  const late = await DirectoryLibraryStore.open({ folder: join(folder, 'late'), path: '/library' });
  await writeFile(join(folder, 'late'), '');
  await expect(late.lock({ id: '1', by: 'a test', since: 'now' }, 0)).rejects.toThrow(StoreUnreachableError);
});
