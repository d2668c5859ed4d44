import type { LibrarySource } from './ports/library-source.js';
import { StoreUnreachableError } from './ports/library-store.js';
import { loadLibrary } from './load-library.js';
import type { LoadOptions } from './load-task.js';
import { type Files, fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

let cluster: MemoryCluster;

beforeEach(() => {
  cluster = new MemoryCluster();
});

describe('a load waiting for another one', () => {
  const waiting = async (files: Files, options: Partial<LoadOptions>) => {
    const held = await new MemoryLibraryStore(cluster).lock({ id: 'other', by: 'x', since: 'now' }, 0);
    const asked: string[] = [];
    let revision = 'before';
    const loading = loadLibrary(
      {
        ...fixedSource(files),
        revision: async () => revision,
        read: async () => {
          asked.push(revision);
          return { ...(await fixedSource(files).read(() => () => true)), revision };
        },
      },
      new MemoryLibraryStore(cluster),
      { ...PLAIN_LOAD, waitMs: 10_000, ...options },
      { id: 'waits', by: 'a test', now: () => new Date(0) },
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    revision = 'after';
    return { held, loading, asked };
  };

  test('reads the source once that one has ended', async () => {
    const { held, loading, asked } = await waiting({ 'a.yaml': 'x: 1' }, {});
    expect(asked).toEqual([]);
    await held.release();
    expect(await loading).toMatchObject({ revision: 'after', created: 1 });
    expect(asked).toEqual(['after']);
  });

  test('with ifChanged does nothing if that one loaded the same', async () => {
    const files = { 'a.yaml': 'x: 1' };
    const { held, loading, asked } = await waiting(files, { ifChanged: true });
    await held.release();
    const other = { id: 'brings', by: 'a test', now: () => new Date(0) };
    await loadLibrary(fixedSource(files, 'after'), new MemoryLibraryStore(cluster), PLAIN_LOAD, other);
    expect(await loading).toMatchObject({ skipped: true, revision: 'after', load: 1 });
    expect(asked).toEqual([]);
  });
});

test('an unreadable source releases the lock, and nothing is written', async () => {
  const failing = { ...fixedSource({}), read: async () => Promise.reject(new Error('the disk is on fire')) };
  const run = { id: 'fails', by: 'a test', now: () => new Date(0) };
  await expect(loadLibrary(failing, new MemoryLibraryStore(cluster), PLAIN_LOAD, run)).rejects.toThrow(
    'the disk is on fire',
  );
  expect([cluster.holder, cluster.nodes.library.size, cluster.nodes.state.size]).toEqual([undefined, 0, 0]);
});

test('an unreadable destination aborts reading the source', async () => {
  class Unreadable extends MemoryLibraryStore {
    override async readTree(): Promise<void> {
      throw new StoreUnreachableError('it is gone');
    }
  }
  const stalling: LibrarySource = {
    ...fixedSource({}),
    read: async (_filter, signal) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(new Error('given up')));
      }),
  };
  const run = { id: 'fails', by: 'a test', now: () => new Date(0) };
  await expect(loadLibrary(stalling, new Unreadable(cluster), PLAIN_LOAD, run)).rejects.toThrow('it is gone');
});
