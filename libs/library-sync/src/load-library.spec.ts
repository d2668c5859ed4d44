import { IncompleteLoadError } from './load.errors.js';
import { loadLibrary } from './load-library.js';
import type { LoadOptions } from './load-task.js';
import { InvalidLibraryError } from './ports/library-finding.js';
import {
  type LibraryLock,
  OutcomeUnknownError,
  StoreUnreachableError,
  type WriteOperation,
} from './ports/library-store.js';
import { type Files, fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

/** More files than fit into one batch. */
const MANY: Files = Object.fromEntries(
  Array.from({ length: 450 }, (_, index) => [`many/f${index}.txt`, `${index}`]),
);

let cluster: MemoryCluster;
let counter = 0;

beforeEach(() => {
  cluster = new MemoryCluster();
});

const load = async (
  files: Files,
  options: Partial<LoadOptions> = {},
  store = new MemoryLibraryStore(cluster),
) =>
  loadLibrary(
    fixedSource(files),
    store,
    { ...PLAIN_LOAD, ...options },
    {
      id: `load-${(counter += 1)}`,
      by: 'a test',
      now: () => new Date(0),
    },
  );

const library = () =>
  Object.fromEntries(
    [...cluster.nodes.library].map(([path, { data }]) => [path, Buffer.from(data).toString()]),
  );
const versions = () => new Map([...cluster.nodes.library].map(([path, { version }]) => [path, version]));
const put = (path: string, text: string) =>
  cluster.nodes.library.set(path, { data: Buffer.from(text), version: 5 });

describe('the version node', () => {
  test.each([
    ['is missing', undefined, '2'],
    ['is a number', '41', '42'],
    ['has a line break', '41\n', '42'],
    ['is unreadable for consumers', 'abc', '2'],
    ['is beyond any machine word', '9'.repeat(30), `1${'0'.repeat(30)}`],
  ])('that %s is incremented by a load that changes something', async (_case, before, after) => {
    if (before !== undefined) put('.version.yaml', before);
    expect(await load({ 'a.yaml': 'x: 1' })).toMatchObject({ version: after });
    expect(library()['.version.yaml']).toBe(after);
  });

  test('stays when nothing changes, and when only the revision does', async () => {
    await load({ 'a.yaml': 'x: 1' });
    const before = versions();
    await load({ 'a.yaml': 'x: 1' });
    const other = fixedSource({ 'a.yaml': 'x: 1' }, 'another commit');
    await loadLibrary(other, new MemoryLibraryStore(cluster), PLAIN_LOAD, {
      id: 'x',
      by: 'a test',
      now: () => new Date(0),
    });
    expect(versions()).toEqual(before);
    expect(await load({ 'a.yaml': 'x: 1' }, { ifChanged: true })).toMatchObject({ skipped: false });
  });

  test('can have another name, or be left out', async () => {
    await load({ 'a.yaml': 'x: 1' }, { versionNode: 'version.txt' });
    expect(library()).toEqual({ 'a.yaml': 'x: 1', 'version.txt': '2' });
    await load({ 'a.yaml': 'x: 2' }, { versionNode: 'version.txt', prune: 'all' });
    expect(library()).toEqual({ 'a.yaml': 'x: 2', 'version.txt': '3' });
    await load({ 'a.yaml': 'x: 3' }, { versionNode: undefined });
    expect(library()).toEqual({ 'a.yaml': 'x: 3', 'version.txt': '3' });
  });

  test('is never read from the source', async () => {
    const loading = load({ 'version.txt': '9' }, { versionNode: 'version.txt' });
    await expect(loading).rejects.toThrow(/version\.txt: error: has the name of the version node/);
  });

  test('incremented concurrently by another client is incremented once more', async () => {
    put('.version.yaml', '5');
    let races = 2;
    class Racing extends MemoryLibraryStore {
      override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
        if (races-- > 0) {
          const { data, version } = cluster.nodes.library.get('.version.yaml')!;
          const raised = Number(Buffer.from(data).toString()) + 10;
          cluster.nodes.library.set('.version.yaml', {
            data: Buffer.from(`${raised}`),
            version: version + 1,
          });
        }
        await super.apply(batch, lock);
      }
    }
    expect(await load({ 'a.yaml': 'x: 1' }, {}, new Racing(cluster))).toMatchObject({ version: '26' });
  });
});

describe('what is removed', () => {
  test('is what earlier loads wrote, never others’ nodes', async () => {
    await load({ 'a.yaml': 'x: 1', 'b/c.yaml': 'x: 1' });
    put('theirs.yaml', 'x: 1');
    put('b/theirs.yaml', 'x: 1');
    const report = await load({ 'a.yaml': 'x: 1' });
    expect(report).toMatchObject({ deleted: 1, foreign: ['b/theirs.yaml', 'theirs.yaml'], kept: ['b'] });
    expect(Object.keys(library()).sort()).toEqual([
      '.version.yaml',
      'a.yaml',
      'b',
      'b/theirs.yaml',
      'theirs.yaml',
    ]);
  });

  test('is everything with prune all, except names that start with a dot', async () => {
    put('theirs.yaml', 'x: 1');
    put('folder', '');
    put('folder/.hidden.yaml', 'x: 1');
    await load({ 'a.yaml': 'x: 1' }, { prune: 'all' });
    expect(Object.keys(library()).sort()).toEqual([
      '.version.yaml',
      'a.yaml',
      'folder',
      'folder/.hidden.yaml',
    ]);
  });

  test('is nothing with prune none, but kept nodes are still ours later', async () => {
    await load({ 'a.yaml': 'x: 1', 'b/c.yaml': 'x: 1' });
    expect(await load({ 'a.yaml': 'x: 2' }, { prune: 'none' })).toMatchObject({
      deleted: 0,
      kept: ['b', 'b/c.yaml'],
    });
    expect(await load({ 'a.yaml': 'x: 2' })).toMatchObject({ deleted: 2 });
    expect(Object.keys(library()).sort()).toEqual(['.version.yaml', 'a.yaml']);
  });

  test('includes others’ nodes that are also in the source, once a load has adopted them', async () => {
    put('a.yaml', 'x: 1');
    expect(await load({ 'a.yaml': 'x: 1', 'b.yaml': 'x: 1' })).toMatchObject({ created: 1, unchanged: 1 });
    expect(await load({ 'b.yaml': 'x: 1' })).toMatchObject({ deleted: 1 });
  });
});

describe('a file and a folder at the same path', () => {
  test('a folder becomes a file if everything below it is ours', async () => {
    await load({ 'x/y.yaml': 'a: 1', 'k.yaml': 'a: 1' }, { names: 'any' });
    await load({ x: 'now a file', 'k.yaml': 'a: 1' }, { names: 'any' });
    expect(library()).toEqual({ '.version.yaml': '3', x: 'now a file', 'k.yaml': 'a: 1' });
  });

  test('and is rejected otherwise', async () => {
    await load({ 'x/y.yaml': 'a: 1' }, { names: 'any' });
    put('x/theirs.yaml', 'a: 1');
    const before = library();
    await expect(load({ x: 'now a file' }, { names: 'any' })).rejects.toThrow(InvalidLibraryError);
    expect(library()).toEqual(before);
  });

  test('a file becomes a folder in place', async () => {
    await load({ x: 'a file' }, { names: 'any' });
    await load({ 'x/y.yaml': 'a: 1' }, { names: 'any' });
    expect(library()).toEqual({ '.version.yaml': '3', x: '', 'x/y.yaml': 'a: 1' });
  });
});

/** Fails one write: before it is written, or after. */
class Failing extends MemoryLibraryStore {
  constructor(
    private failAt: number,
    private readonly kind: 'lost before' | 'lost after' | 'dead',
  ) {
    super(cluster);
  }

  override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    this.failAt -= 1;
    if (this.kind === 'dead' && this.failAt < 0) throw new StoreUnreachableError('it died');
    if (this.failAt !== -1) return super.apply(batch, lock);
    if (this.kind === 'lost after') await super.apply(batch, lock);
    throw new OutcomeUnknownError('connection lost');
  }
}

describe('a load whose connection is lost', () => {
  const before: Files = { ...MANY, 'gone/x.txt': 'x', 'kept.txt': 'y' };
  const after: Files = { ...MANY, 'many/f7.txt': 'changed', 'new/z.txt': 'z', 'kept.txt': 'y' };

  test.each(
    [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((at) => [['lost before', at] as const, ['lost after', at] as const]),
  )('%s write %i is completed, with every write and the version increment applied once', async (kind, at) => {
    await load(MANY, {}, new Failing(at, kind));
    expect(library()).toEqual({ ...MANY, many: '', '.version.yaml': '2' });
    expect(new Set(versions().values())).toEqual(new Set([0]));
  });

  test.each(['lost before', 'lost after'] as const)(
    'a small load %s its one batch is completed',
    async (kind) => {
      await load(before);
      await load(after, {}, new Failing(0, kind));
      expect(library()).toMatchObject({ 'many/f7.txt': 'changed', 'new/z.txt': 'z', '.version.yaml': '3' });
      expect(library()).not.toHaveProperty('gone');
      expect(versions().get('many/f7.txt')).toBe(1);
    },
  );
});

describe('a killed load', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'before write %i is completed by the next one, which increments the version',
    async (at) => {
      const killed = load(MANY, {}, new Failing(at, 'dead'));
      const failure = await killed.catch((error: unknown) => error);
      cluster.holder = undefined;
      const report = await load(MANY);
      expect(library()).toEqual({ ...MANY, many: '', '.version.yaml': '2' });
      if (failure instanceof IncompleteLoadError) {
        expect(failure.message).toMatch(/stopped after \d+ of 451 changes: it died; run the load again/);
        expect(report.created).toBe(451 - failure.done);
      }
    },
  );

  test('is followed by a version increment even if it had written everything', async () => {
    const writes = { count: 0 };
    class Counting extends MemoryLibraryStore {
      override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
        writes.count += 1;
        await super.apply(batch, lock);
      }
    }
    await load(MANY, {}, new Counting(new MemoryCluster()));
    await load(MANY, {}, new Failing(writes.count - 1, 'dead')).catch(() => undefined);
    cluster.holder = undefined;
    expect(library()).toEqual({ ...MANY, many: '' });
    expect(await load(MANY)).toMatchObject({ created: 0, version: '2', load: 2 });
    expect(await load(MANY)).toMatchObject({ changed: false });
  });

  test('still owns what it had written', async () => {
    await load(MANY, {}, new Failing(4, 'dead')).catch(() => undefined);
    cluster.holder = undefined;
    await load({ 'a.yaml': 'x: 1' });
    expect(library()).toEqual({ 'a.yaml': 'x: 1', '.version.yaml': '2' });
  });
});

test('a source whose revision is known only once it is read is skipped if unchanged, also by a dry run', async () => {
  const files = { 'a.yaml': 'x: 1' };
  const tagged = { ...fixedSource(files), revision: async () => 'tag' };
  const run = { id: 'tagged', by: 'a test', now: () => new Date(0) };
  await load(files);
  for (const dryRun of [true, false]) {
    const options = { ...PLAIN_LOAD, ifChanged: true, dryRun };
    const report = await loadLibrary(tagged, new MemoryLibraryStore(cluster), options, run);
    expect(report).toMatchObject({ skipped: true, load: 1 });
  }
});

test('a load holds the lock while writing, and releases it even if it fails', async () => {
  await load({ 'a.yaml': 'x: 1' });
  expect(cluster.holder).toBeUndefined();
  await load({ 'b.yaml': 'x: 1' }, {}, new Failing(0, 'dead')).catch(() => undefined);
  expect(cluster.holder).toBeUndefined();
});

test('the duration of a load does not depend on the clock, which may be set back meanwhile', async () => {
  const times = [3_600_000, 0];
  const run = { id: 'one', by: 'a test', now: () => new Date(times.shift() ?? 0) };
  const store = new MemoryLibraryStore(cluster);
  const { seconds } = await loadLibrary(fixedSource({ 'a.yaml': 'x: 1' }), store, PLAIN_LOAD, run);
  expect(seconds).toBeGreaterThanOrEqual(0);
  expect(seconds).toBeLessThan(3_600);
});

test('records of the last ten loads are kept', async () => {
  for (let round = 1; round <= 13; round += 1) await load({ 'a.yaml': `x: ${round}` });
  const numbers = [...cluster.nodes.state.keys()].flatMap((path) => /^loads\/(\d+)$/.exec(path)?.[1] ?? []);
  expect(numbers.map(Number).sort((a, b) => a - b)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
});

test('a library of twenty thousand files has a manifest in parts', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`f/${index}.txt`, `${index}`]),
  );
  expect(await load(files)).toMatchObject({ created: 20_001 });
  expect(cluster.nodes.state.has('loads/1/1')).toBe(true);
  expect(await load({ 'f/7.txt': '7' })).toMatchObject({ deleted: 19_999, unchanged: 2 });
});
