import { type LibraryLock, StoreUnreachableError, type WriteOperation } from './ports/library-store.js';
import { loadLibrary } from './load-library.js';
import type { LoadOptions } from './load-task.js';
import { readDrift, readHistory, readLastLoad, readStatus } from './library-status.js';
import { type Files, fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

let cluster: MemoryCluster;
let counter = 0;

beforeEach(() => {
  cluster = new MemoryCluster();
});

/** Fails after this many writes. */
class Dying extends MemoryLibraryStore {
  constructor(private writes: number) {
    super(cluster);
  }

  override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    if (this.writes <= 0) throw new StoreUnreachableError('it died');
    this.writes -= 1;
    await super.apply(batch, lock);
  }
}

/** Several batches, so that a load can be interrupted between them. */
const filesOf = (name: string, count = 300): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}/${index}.txt`, name]));

type Options = Partial<LoadOptions> & { readonly revision?: string };

const load = async (
  files: Files,
  store = new MemoryLibraryStore(cluster),
  { revision, ...options }: Options = {},
) =>
  loadLibrary(
    fixedSource(files, revision),
    store,
    { ...PLAIN_LOAD, ...options },
    { id: `load-${(counter += 1)}`, by: 'a test', now: () => new Date(0) },
  );

async function cutOff(files: Files, writes: number, options: Options = {}): Promise<void> {
  await expect(load(files, new Dying(writes), options)).rejects.toThrow(
    /: it died; run the load again to complete it$/,
  );
  cluster.holder = undefined;
}

const pathsOf = (name: string) => [...cluster.nodes.library.keys()].filter((path) => path.startsWith(name));
const records = () =>
  [...cluster.nodes.state.keys()].flatMap((path) => /^loads\/(\d+)$/.exec(path)?.[1] ?? []).map(Number);

test.each([4, 5, 6])(
  'after consecutive interrupted loads (after %i writes) the next load leaves no leftovers',
  async (writes) => {
    await load({ 'kept.txt': 'x', 'gone.txt': 'x' });
    for (const name of ['A', 'B', 'C']) {
      await cutOff({ ...filesOf(name), 'kept.txt': 'x' }, writes);
      expect(pathsOf(name).length).toBeGreaterThan(0);
    }
    const report = await load({ ...filesOf('D'), 'kept.txt': 'x' });
    expect(report).toMatchObject({ foreign: [], completed: 4, version: '3' });
    expect(['A', 'B', 'C', 'gone'].flatMap(pathsOf)).toEqual([]);
    expect(pathsOf('D')).toHaveLength(301);
    expect(await load({ ...filesOf('D'), 'kept.txt': 'x' })).toMatchObject({ changed: false });
  },
);

test('a load that finds everything in place after an interrupted one reports which it completed', async () => {
  const files = filesOf('A');
  await cutOff(files, 6);
  expect(pathsOf('A')).toHaveLength(301);
  const report = await load(files);
  expect(report).toMatchObject({ changed: false, completed: 1, load: 2, version: '2' });
  expect(await readStatus(new MemoryLibraryStore(cluster), '.version.yaml')).not.toHaveProperty('pending');
  expect(await load(files)).not.toHaveProperty('completed');
});

/** Not atomic: it dies within the last batch, after the record and before the manifest. */
class DyingBeforeManifest extends MemoryLibraryStore {
  override readonly isAtomic = false;

  constructor() {
    super(cluster);
  }

  override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    const isLast = batch.length > 1 && batch.at(-1)?.path === 'manifest';
    await super.apply(isLast ? batch.slice(0, -1) : batch, lock);
    if (isLast) throw new StoreUnreachableError('it died');
  }
}

test('a load that wrote its record but not the manifest is not in the history, and displaces none from it', async () => {
  const historyOf = async () => {
    const records = await readHistory(new MemoryLibraryStore(cluster));
    return records.map(({ load: number }) => number);
  };
  for (let round = 1; round <= 9; round += 1) await load({ 'a.txt': `${round}` });
  await expect(load({ 'a.txt': 'bad' }, new DyingBeforeManifest())).rejects.toThrow('it died');
  cluster.holder = undefined;
  expect(await historyOf()).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  await load({ 'a.txt': '11' });
  expect(await historyOf()).toEqual([11, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

describe('a rollback after an interrupted load', () => {
  const lastLoad = async () => readLastLoad(new MemoryLibraryStore(cluster));
  const isLoadedAgain = async (files: Files) => !(await load(files, undefined, { ifChanged: true })).skipped;

  test.each([
    ['undoes it', false],
    ['undoes it even if that was interrupted before', true],
  ])('%s, and its revision is not loaded again by itself', async (_, isInterruptedToo) => {
    await load(filesOf('A'));
    await cutOff(filesOf('B'), 5);
    const rollback = { isRollback: true };
    if (isInterruptedToo) await cutOff(filesOf('A'), 5, rollback);
    expect(await lastLoad()).toEqual({ load: 1, pending: isInterruptedToo ? 3 : 2, isInterrupted: true });
    await load(filesOf('A'), undefined, rollback);
    expect(await lastLoad()).toMatchObject({ pending: undefined, isInterrupted: false });
    expect(await isLoadedAgain(filesOf('B'))).toBe(false);
    expect(await isLoadedAgain(filesOf('C'))).toBe(true);
  });

  test('fails if the load was interrupted only after the one to restore was chosen', async () => {
    await load(filesOf('A'));
    await load(filesOf('B'));
    const chosen = { isRollback: true, lastLoad: await lastLoad() };
    await cutOff(filesOf('C'), 5);
    await expect(load(filesOf('A'), undefined, chosen)).rejects.toThrow(
      /^load 3 was interrupted since the load to restore was chosen, and nothing was written;/,
    );
  });
});

test('an interrupted rollback undoes the finished load that it would have undone', async () => {
  await load(filesOf('A'));
  await load(filesOf('B'));
  await cutOff(filesOf('A'), 5, { isRollback: true });
  expect(await readLastLoad(new MemoryLibraryStore(cluster))).toEqual({
    ...{ load: 2, pending: 3, isInterrupted: false },
  });
  await load(filesOf('A'), undefined, { isRollback: true });
  expect(await load(filesOf('B'), undefined, { ifChanged: true })).toMatchObject({ skipped: true });
  const [last] = await readHistory(new MemoryLibraryStore(cluster));
  expect(last).not.toHaveProperty('undone_revision');
});

test.each([
  ['of a finished load', false],
  ['of an interrupted load', true],
])('an interrupted rollback %s is not undone by itself, and can be run again', async (_, isOfInterrupted) => {
  const rollback = { isRollback: true, restores: 1 };
  const ifChanged = { ifChanged: true };
  await load(filesOf('A'));
  if (isOfInterrupted) await cutOff(filesOf('B'), 5);
  else await load(filesOf('B'));
  await cutOff(filesOf('A'), 5, rollback);
  await expect(load(filesOf('B'), undefined, ifChanged)).rejects.toThrow(
    /^load 3, a rollback, was interrupted, .* run svccmd library rollback --to 1 to complete it, or load that revision without --if-changed /,
  );
  expect(await load(filesOf('A'), undefined, rollback)).toMatchObject({ completed: 3 });
  expect(pathsOf('B')).toEqual([]);
  expect(await load(filesOf('B'), undefined, ifChanged)).toMatchObject({ skipped: true });
});

test('an interrupted rollback, and the remedy, name the load that it restores, which need not be the one before the last', async () => {
  for (const name of ['A', 'B', 'C']) await load(filesOf(name));
  await cutOff(filesOf('A'), 5, { isRollback: true, restores: 1 });
  for (const dryRun of [false, true]) {
    const next = load(filesOf('C'), undefined, { ifChanged: true, dryRun });
    await expect(next).rejects.toThrow(/ rollback --to 1 to /);
  }
  const store = new MemoryLibraryStore(cluster);
  expect(await readStatus(store, '.version.yaml')).toMatchObject({ pending: { load: 4, restores: 1 } });
});

test('a source at the revision that an interrupted rollback undoes is not read', async () => {
  for (const name of ['A', 'B']) await load(filesOf(name));
  await cutOff(filesOf('A'), 5, { isRollback: true, restores: 1 });
  const read = async () => Promise.reject(new Error('the source is read'));
  const source = { ...fixedSource(filesOf('B')), read };
  const options = { ...PLAIN_LOAD, ifChanged: true };
  const run = { id: 'unread', by: 'a test', now: () => new Date(0) };
  const refused = loadLibrary(source, new MemoryLibraryStore(cluster), options, run);
  await expect(refused).rejects.toThrow(/ rollback --to 1 to /);
});

test('an interrupted rollback to a load of the same revision, with other exclusions, is not undone by itself', async () => {
  for (const name of ['A', 'B']) await load(filesOf(name), undefined, { revision: 'same' });
  await cutOff(filesOf('A'), 5, { revision: 'same', isRollback: true, restores: 1 });
  const next = load(filesOf('B'), undefined, { revision: 'same', ifChanged: true });
  await expect(next).rejects.toThrow(/ rollback --to 1 to /);
});

test('an interrupted rollback to a revision that was rolled back before is completed by a load of that revision', async () => {
  for (const name of ['A', 'B']) await load(filesOf(name));
  await load(filesOf('A'), undefined, { isRollback: true, restores: 1 });
  await cutOff(filesOf('B'), 5, { isRollback: true, restores: 2 });
  expect(await load(filesOf('B'), undefined, { ifChanged: true })).toMatchObject({ completed: 4 });
  expect(pathsOf('A')).toEqual([]);
});

test('a dry run during a rollback does not say that the rollback was interrupted', async () => {
  for (const name of ['A', 'B']) await load(filesOf(name));
  await cutOff(filesOf('A'), 5, { isRollback: true, restores: 1 });
  // Where stores keep the lock.
  const holder = Buffer.from(JSON.stringify({ id: 'running', by: 'a test', since: 'now' }));
  cluster.nodes.state.set('lock', { data: holder, version: 0 });
  const dryRun = async () => load(filesOf('B'), undefined, { ifChanged: true, dryRun: true });
  expect(await dryRun()).toMatchObject({ completed: 3 });
  cluster.nodes.state.delete('lock');
  await expect(dryRun()).rejects.toThrow(/ rollback --to 1 to /);
});

test('an interrupted rollback gives way to a source that has changed, and to a load without conditions', async () => {
  for (const [next, options] of [['C', { ifChanged: true }] as const, ['B', {}] as const]) {
    cluster = new MemoryCluster();
    await load(filesOf('A'));
    await load(filesOf('B'));
    await cutOff(filesOf('A'), 5, { isRollback: true });
    expect(await load(filesOf(next), undefined, options)).toMatchObject({ completed: 3 });
  }
});

test('a rollback is not undone after a repair that was interrupted', async () => {
  await load(filesOf('A'));
  await load(filesOf('B'));
  await load(filesOf('A'), undefined, { isRollback: true });
  for (const path of pathsOf('A/'))
    cluster.nodes.library.set(path, { data: Buffer.from('by hand'), version: 9 });
  await cutOff(filesOf('A'), 5, { repairs: 3, prune: 'none' });
  await expect(load(filesOf('B'), undefined, { ifChanged: true })).rejects.toThrow(
    /^load 4, a repair after a rollback, .* run svccmd library rollback --to 3 to complete it/,
  );
});

test('failing loads neither displace finished ones from the history nor pile up records', async () => {
  await load({ 'a.txt': '1' });
  await load({ 'a.txt': '2' });
  for (let round = 0; round < 12; round += 1) await cutOff(filesOf(`F${round}`), round % 2 === 0 ? 0 : 4);
  expect(records().length).toBeLessThanOrEqual(4);
  await load({ 'a.txt': '3' });
  const history = await readHistory(new MemoryLibraryStore(cluster));
  expect(history.map(({ revision }) => revision)).toEqual(
    ['3', '2', '1'].map((text) => JSON.stringify({ 'a.txt': text })),
  );
  expect(records()).toHaveLength(3);
  expect([...cluster.nodes.library.keys()].sort()).toEqual(['.version.yaml', 'a.txt']);
});

test('failing to remove an old record is only a warning', async () => {
  for (let round = 1; round <= 10; round += 1) await load({ 'a.txt': `${round}` });
  const report = await load({ 'a.txt': '11' }, new Dying(1));
  expect(report).toMatchObject({
    load: 11,
    version: '12',
    problems: [{ severity: 'warning', message: 'could not remove the records of old loads: it died' }],
  });
});

test('a load interrupted while writing reports its progress', async () => {
  const interrupt = new AbortController();
  const loading = loadLibrary(fixedSource(filesOf('A', 900)), new MemoryLibraryStore(cluster), PLAIN_LOAD, {
    id: 'interrupted',
    by: 'a test',
    now: () => new Date(0),
    signal: interrupt.signal,
    onProgress: ({ done = 0 }) => {
      if (done >= 99) interrupt.abort();
    },
  });
  await expect(loading).rejects.toThrow(
    /^the load was interrupted after (99|198|297|396) of 901 changes; run the load again to complete it$/,
  );
  expect(await load(filesOf('A', 900))).toMatchObject({ completed: 1, version: '2' });
});

test('failing to keep a copy for rollback is only a warning', async () => {
  const report = await loadLibrary(
    fixedSource({ 'a.txt': '1' }),
    new MemoryLibraryStore(cluster),
    PLAIN_LOAD,
    {
      id: 'copies',
      by: 'a test',
      now: () => new Date(0),
      keepCopy: async () => Promise.reject(new Error('the disk is full')),
    },
  );
  const message = 'could not keep a copy for rollback: the disk is full';
  expect(report.problems).toEqual([{ severity: 'warning', path: '', code: 'copy', message }]);
  expect(cluster.holder).toBeUndefined();
});

test("an interrupted load's own writes are not drift", async () => {
  const reader = new MemoryLibraryStore(cluster);
  await load(filesOf('A'));
  expect(await readDrift(reader)).toEqual([]);
  await cutOff({ ...filesOf('A', 200), 'A/1.txt': 'changed' }, 3);
  expect(await readDrift(reader)).toBeUndefined();
  await load(filesOf('B'));
  expect(await readDrift(reader)).toEqual([]);
});

test.each(['loads/1/record', 'loads/1/0'])('without %s, drift is unknown', async (path) => {
  const reader = new MemoryLibraryStore(cluster);
  await load(filesOf('A'));
  expect(await readDrift(reader)).toEqual([]);
  cluster.nodes.state.delete(path);
  expect(await readDrift(reader)).toBeUndefined();
});

test('a load that runs during the drift check is not drift', async () => {
  await load(filesOf('A'));
  class Overtaken extends MemoryLibraryStore {
    private isOvertaken = false;

    override async readTree(visit: Parameters<MemoryLibraryStore['readTree']>[0]): Promise<void> {
      if (!this.isOvertaken) await load(filesOf('B'));
      this.isOvertaken = true;
      await super.readTree(visit);
    }
  }
  expect(await readDrift(new Overtaken(cluster))).toEqual([]);
});
