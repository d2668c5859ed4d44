import { jest } from '@jest/globals';
import { readlinkSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { loadLibrary, type SourceEntry } from '@svc/library-sync';
import { PLAIN_LOAD } from '@svc/library-sync/testing';
import { DirectoryLibraryStore } from '../src/index.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-directory-'));
});
afterEach(async () => rm(folder, { recursive: true }));

/** Records what is synced to disk, and which load the manifest names at that time. */
async function recordSyncs(): Promise<{ readonly path: string; readonly load: number }[]> {
  const synced: { path: string; load: number }[] = [];
  const file = await open(folder);
  const handles = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const original = handles.datasync;
  jest.spyOn(handles, 'datasync').mockImplementation(async function (this: FileHandle) {
    const path = relative(folder, readlinkSync(`/proc/self/fd/${this.fd}`));
    const manifest = await readFile(join(folder, '.svccmd/library/manifest'), 'utf8').catch(
      () => '{"load":0}',
    );
    synced.push({ path, load: (JSON.parse(manifest) as { load: number }).load });
    return original.call(this);
  });
  return synced;
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux.each([
  ['of one batch', 2],
  ['of several batches', 1_500],
])('a load %s is on the disk before the manifest says that it was made', async (_case, count) => {
  const names = Array.from({ length: count }, (_, n) => `f/${n}.yaml`);
  const store = await DirectoryLibraryStore.open({ folder, path: '/library' });
  const synced = await recordSyncs();
  for (const text of ['a: 1', 'a: 2']) {
    const files = names.map((path): SourceEntry => ({ kind: 'file', path, data: Buffer.from(text) }));
    const entries: SourceEntry[] = [{ kind: 'folder', path: 'f' }, ...files];
    const identity = { name: 'source', kind: 'git', origin: 'source' } as const;
    const source = {
      ...identity,
      revision: async () => text,
      read: async () => ({ entries, revision: text }),
    };
    await loadLibrary(source, store, PLAIN_LOAD, { id: text, by: 'a test', now: () => new Date(0) });
  }
  for (const load of [1, 2]) {
    const before = synced.filter((one) => one.load === load - 1).map(({ path }) => path);
    const expected = [...names, '.version.yaml'].map((name) => `library/${name}`);
    expect(before).toEqual(expect.arrayContaining(expected));
  }
});
