import { bytesOf, type FileContent } from './ports/file-content.js';
import type { LibrarySource } from './ports/library-source.js';
import { readStatus } from './library-status.js';
import { loadLibrary } from './load-library.js';
import { validateLibrary } from './read-library.js';
import { fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

const FILES = Object.fromEntries(
  Array.from({ length: 2_000 }, (_, index) => [`Parsers/${index}.yaml`, `id: ${index}\n`]),
);

/** A source that counts how often its contents are read; `release` ends that. */
function unreadSource(files: Readonly<Record<string, string>>) {
  const counts = { reads: 0, releases: 0 };
  const unread = (data: FileContent): FileContent => ({
    length: data.length,
    read: () => {
      if (counts.releases > 0) throw new Error('released');
      counts.reads += 1;
      return data as Uint8Array;
    },
  });
  const inner = fixedSource(files);
  const source: LibrarySource = {
    ...inner,
    read: async (...request) => {
      const { entries, revision } = await inner.read(...request);
      const all = entries.map((entry) =>
        entry.kind === 'file' ? { ...entry, data: unread(entry.data) } : entry,
      );
      return { entries: all, revision };
    },
    release: () => void (counts.releases += 1),
  };
  return { source, counts };
}

const run = { id: '1', by: 'me', now: () => new Date(0) };

test('contents are read for the checks, and again only for the batches being written', async () => {
  const cluster = new MemoryCluster();
  const { source, counts } = unreadSource(FILES);
  const readBefore: number[] = [];
  class CountingStore extends MemoryLibraryStore {
    override async apply(...batch: Parameters<MemoryLibraryStore['apply']>): Promise<void> {
      readBefore.push(counts.reads);
      return super.apply(...batch);
    }
  }
  const report = await loadLibrary(source, new CountingStore(cluster), PLAIN_LOAD, run);
  expect(report.created).toBe(2_001);
  expect(report.bytes).toBe(Object.values(FILES).join('').length);
  expect(readBefore[0]).toBe(2_000);
  expect(Math.max(...readBefore.slice(1).map((count, index) => count - readBefore[index]!))).toBeLessThan(
    400,
  );
  const stored = [...cluster.nodes.library].filter(([path]) => path.startsWith('Parsers/'));
  expect(Object.fromEntries(stored.map(([path, { data }]) => [path, Buffer.from(data).toString()]))).toEqual(
    FILES,
  );
});

test('contents of unchanged files are not read again', async () => {
  const cluster = new MemoryCluster();
  await loadLibrary(fixedSource(FILES), new MemoryLibraryStore(cluster), PLAIN_LOAD, run);
  const { source, counts } = unreadSource({ ...FILES, 'Parsers/7.yaml': 'id: other\n' });
  const report = await loadLibrary(source, new MemoryLibraryStore(cluster), PLAIN_LOAD, run);
  expect([report.updated, report.unchanged]).toEqual([1, 2_000]);
  expect(counts.reads).toBe(2_001);
});

test('contents that differ when they are read for writing end the load before consumers are notified, and the next completes it', async () => {
  const cluster = new MemoryCluster();
  await loadLibrary(fixedSource({ 'a.yaml': 'a: 0\n' }), new MemoryLibraryStore(cluster), PLAIN_LOAD, run);
  const inner = fixedSource(FILES);
  const damaged: LibrarySource = {
    ...inner,
    read: async (...request) => {
      const { entries, revision } = await inner.read(...request);
      const all = entries.map((entry) => {
        if (entry.kind !== 'file' || entry.path !== 'Parsers/1500.yaml') return entry;
        let reads = 0;
        const read = () => Buffer.from((reads += 1) === 1 ? bytesOf(entry.data) : 'id: 15__\n');
        return { ...entry, data: { length: entry.data.length, read } };
      });
      return { entries: all, revision };
    },
  };
  const loading = loadLibrary(damaged, new MemoryLibraryStore(cluster), PLAIN_LOAD, { ...run, id: '2' });
  await expect(loading).rejects.toThrow(
    /stopped after \d+ of 2002 changes: the content of Parsers\/1500.yaml/,
  );
  const store = new MemoryLibraryStore(cluster);
  expect(await readStatus(store, '.version.yaml')).toMatchObject({
    load: 1,
    version: '2',
    pending: { load: 2 },
  });
  const report = await loadLibrary(inner, store, PLAIN_LOAD, { ...run, id: '3' });
  expect(report).toMatchObject({ completed: 2, version: '3' });
});

test.each([
  ['a load', { 'a.yaml': 'a: 1\n' }, PLAIN_LOAD],
  ['a dry run', { 'a.yaml': 'a: 1\n' }, { ...PLAIN_LOAD, dryRun: true }],
  ['a load of an invalid library', { 'a.yaml': 'a: 1\na: 2\n' }, PLAIN_LOAD],
])('%s releases its source once', async (_case, files, options) => {
  const { source, counts } = unreadSource(files);
  await loadLibrary(source, new MemoryLibraryStore(new MemoryCluster()), options, run).catch(() => undefined);
  expect(counts.releases).toBe(1);
});

test('a validation releases its source once', async () => {
  const { source, counts } = unreadSource({ 'a.yaml': 'a: 1\n' });
  expect(await validateLibrary(source, PLAIN_LOAD)).toMatchObject({ valid: true, bytes: 5 });
  expect(counts.releases).toBe(1);
});
