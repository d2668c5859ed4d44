import { randomBytes } from 'node:crypto';
import {
  OutcomeUnknownError,
  type LibraryLock,
  type StoredNode,
  type WriteOperation,
} from './ports/library-store.js';
import { loadLibrary } from './load-library.js';
import { fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';
import { operationBytes } from './write-batches.js';

const run = { id: 'one', by: 'a test', now: () => new Date(0) };

/** Loses the connection after a write, and the next server lags behind that write. */
class Behind extends MemoryLibraryStore {
  private before: ReadonlyMap<string, StoredNode> | undefined;

  constructor(
    cluster: MemoryCluster,
    private losesAt: number,
  ) {
    super(cluster);
  }

  override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    this.losesAt -= 1;
    if (this.losesAt !== -1) return super.apply(batch, lock);
    this.before = await super.read(
      'library',
      batch.map(({ path }) => path),
    );
    await super.apply(batch, lock);
    throw new OutcomeUnknownError('connection lost');
  }

  override async read(
    area: 'library' | 'state',
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, StoredNode>> {
    if (area !== 'library' || !this.before) return super.read(area, paths);
    const stale = this.before;
    this.before = undefined;
    return stale;
  }
}

const FILES = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`${index}.txt`, `${index}`]));

test('a write that becomes visible late is recognized as ours', async () => {
  const cluster = new MemoryCluster();
  // The opening, the marker, the first of two batches.
  const report = await loadLibrary(fixedSource(FILES), new Behind(cluster, 2), PLAIN_LOAD, run);
  expect(report).toMatchObject({ created: 120, version: '2' });
  expect([...cluster.nodes.library.values()].map(({ version }) => version)).toEqual(Array(121).fill(0));
});

test('after a lost connection, only nodes that may have been written are read back', async () => {
  let wasLost = false;
  let mostRead = 0;
  class Losing extends MemoryLibraryStore {
    override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
      if (wasLost || batch[0]?.area !== 'library') return super.apply(batch, lock);
      wasLost = true;
      throw new OutcomeUnknownError('connection lost');
    }

    override async read(
      area: 'library' | 'state',
      paths: readonly string[],
    ): Promise<ReadonlyMap<string, StoredNode>> {
      mostRead = Math.max(mostRead, paths.length);
      return super.read(area, paths);
    }
  }
  const files = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`${index}.txt`, '']));
  const report = await loadLibrary(fixedSource(files), new Losing(new MemoryCluster()), PLAIN_LOAD, run);
  expect([report.created, wasLost]).toEqual([3_000, true]);
  // Four batches were under way.
  expect(mostRead).toBeLessThanOrEqual(4 * 99);
});

test('a destination that keeps dropping the connection is abandoned, naming the largest node in flight', async () => {
  class Dropping extends MemoryLibraryStore {
    override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
      if (batch.some(({ path }) => path === 'large.txt')) throw new OutcomeUnknownError('connection lost');
      await super.apply(batch, lock);
    }
  }
  const files = { 'a.txt': 'x', 'large.txt': 'x'.repeat(5_000) };
  const loading = loadLibrary(fixedSource(files, 'one'), new Dropping(new MemoryCluster()), PLAIN_LOAD, run);
  await expect(loading).rejects.toThrow(
    "the load stopped after 0 of 2 changes: connection lost, 6 times; the largest node being written is large.txt (5073 bytes): see whether the servers' jute.maxbuffer is below 1 MiB; run the load again to complete it",
  );
});

test('an incompressible list of paths is split into requests the server accepts', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 9_990 }, () => [`${randomBytes(100).toString('hex')}.txt`, '']),
  );
  let largest = 0;
  class Measuring extends MemoryLibraryStore {
    override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
      const bytes = batch.reduce((sum, operation) => sum + operationBytes(operation, this.rootBytes), 0);
      largest = Math.max(largest, bytes);
      await super.apply(batch, lock);
    }
  }
  const store = new Measuring(new MemoryCluster());
  expect(await loadLibrary(fixedSource(files, 'one'), store, PLAIN_LOAD, run)).toMatchObject({
    created: 9_990,
  });
  expect(largest).toBeLessThanOrEqual(900_000);
  expect(await loadLibrary(fixedSource(files, 'one'), store, PLAIN_LOAD, run)).toMatchObject({
    unchanged: 9_990,
  });
});

const bytesOf = (batch: readonly WriteOperation[], rootBytes: number): number =>
  batch.reduce((sum, operation) => sum + operationBytes(operation, rootBytes), 0);

const MANY = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => [`${index}.txt`, 'x'.repeat(4_500)]),
);

test('a server that drops the connection at large requests gets smaller ones', async () => {
  class Narrow extends MemoryLibraryStore {
    override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
      if (bytesOf(batch, this.rootBytes) > 120_000) throw new OutcomeUnknownError('connection lost');
      await super.apply(batch, lock);
    }
  }
  const store = new Narrow(new MemoryCluster());
  expect(await loadLibrary(fixedSource(MANY, 'one'), store, PLAIN_LOAD, run)).toMatchObject({ created: 300 });
});

test('no request exceeds the configured limit', async () => {
  let largest = 0;
  class Limited extends MemoryLibraryStore {
    override readonly maxRequestBytes = 100_000;
    override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
      largest = Math.max(largest, bytesOf(batch, this.rootBytes));
      await super.apply(batch, lock);
    }
  }
  const store = new Limited(new MemoryCluster());
  expect(await loadLibrary(fixedSource(MANY, 'one'), store, PLAIN_LOAD, run)).toMatchObject({ created: 300 });
  expect(largest).toBeLessThanOrEqual(100_000);
  const names = Array.from({ length: 3_000 }, () => [`${randomBytes(100).toString('hex')}.txt`, ''] as const);
  const lists = loadLibrary(fixedSource(Object.fromEntries(names), 'two'), store, PLAIN_LOAD, run);
  expect(await lists).toMatchObject({ created: 3_000, deleted: 300 });
  expect(largest).toBeLessThanOrEqual(100_000);
  const large = loadLibrary(fixedSource({ 'a.txt': 'x'.repeat(100_000) }, 'two'), store, PLAIN_LOAD, run);
  await expect(large).rejects.toThrow(/a\.txt has 100000 bytes, more than the \d+ that a request/);
});

test('a node too large for any request is rejected by name before anything is written', async () => {
  class Deep extends MemoryLibraryStore {
    override readonly rootBytes = 60_000;
  }
  const cluster = new MemoryCluster();
  const files = { 'a.txt': 'x', 'large.txt': 'x'.repeat(950_000) };
  await expect(loadLibrary(fixedSource(files, 'one'), new Deep(cluster), PLAIN_LOAD, run)).rejects.toThrow(
    /^the load stopped after 0 of 2 changes: large\.txt has 950000 bytes, more than the 928\d\d\d that a request to this destination can hold; make it smaller or destination\.path shorter$/,
  );
  expect([cluster.nodes.library.size, cluster.nodes.state.size]).toEqual([0, 0]);
});
