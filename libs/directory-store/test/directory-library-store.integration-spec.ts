import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
