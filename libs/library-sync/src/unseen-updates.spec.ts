import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type LibraryLock, StoreUnreachableError, type WriteOperation } from './ports/library-store.js';
import { loadLibrary } from './load-library.js';
import { type Files, fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

let cluster: MemoryCluster;
let counter = 0;

beforeEach(() => {
  cluster = new MemoryCluster();
});

/** Calls back after each batch, and fails after a number of them. */
class Observed extends MemoryLibraryStore {
  constructor(
    private batches: number,
    private readonly onBatch: () => void,
  ) {
    super(cluster);
  }

  override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    if (this.batches <= 0) throw new StoreUnreachableError('it died');
    this.batches -= 1;
    await super.apply(batch, lock);
    this.onBatch();
  }
}

const load = async (files: Files, batches = Infinity, onBatch = () => {}) =>
  loadLibrary(
    fixedSource(files),
    new Observed(batches, onBatch),
    { ...PLAIN_LOAD, allowEmpty: true },
    { id: `load-${(counter += 1)}`, by: 'a test', now: () => new Date(0) },
  );

/** Rereads when the digest over (path, version) of all nodes changes, like real consumers. */
class DigestConsumer {
  private digest = '';
  content = '';

  check(): void {
    const nodes = [...cluster.nodes.library].filter(([path]) => path !== '.version.yaml').sort();
    const sha1 = createHash('sha1');
    for (const [path, { version }] of nodes) sha1.update(`${path}\n${version}\n`);
    const digest = sha1.digest('hex');
    if (digest === this.digest) return;
    this.digest = digest;
    this.content = stored();
  }
}

const stored = (): string =>
  JSON.stringify(
    [...cluster.nodes.library]
      .filter(([path]) => path !== '.version.yaml')
      .sort()
      .map(([path, { data }]) => [path, Buffer.from(data).toString()]),
  );
const versionOf = (path: string) => cluster.nodes.library.get(path)?.version;
const writesOf = async (files: Files): Promise<number> => {
  let writes = 0;
  await load(files, Infinity, () => (writes += 1));
  return writes;
};

test('a recreated path with other content gets a version it never had', async () => {
  await load({ 'a.txt': '1', 'b.txt': '' });
  await load({ 'a.txt': '2', 'b.txt': '' });
  expect(versionOf('a.txt')).toBe(1);
  await load({ 'b.txt': '' });
  await load({ 'b.txt': 'b' });
  expect(await load({ 'a.txt': '3', 'b.txt': 'b' })).toMatchObject({ created: 1, updated: 0 });
  expect([versionOf('a.txt'), versionOf('b.txt')]).toEqual([2, 1]);
});

test('a new path starts at version 0, and unchanged nodes are not written', async () => {
  await load({ 'a.txt': '1' });
  await load({ 'a.txt': '1', 'b.txt': '1' });
  expect([versionOf('a.txt'), versionOf('b.txt')]).toEqual([0, 0]);
});

test('a node removed by others is recreated with a version above its previous ones', async () => {
  await load({ 'a.txt': '1' });
  await load({ 'a.txt': '2' });
  cluster.nodes.library.delete('a.txt');
  await load({ 'a.txt': '3' });
  expect(versionOf('a.txt')).toBe(2);
  cluster.nodes.library.set('a.txt', { data: Buffer.from('x'), version: 0 });
  await load({ 'a.txt': '3' });
  expect(versionOf('a.txt')).toBeGreaterThan(2);
});

test('a node can need more writes than fit into a batch, and an interruption between them is recovered', async () => {
  await load({ 'a.txt': '0' });
  cluster.nodes.library.set('a.txt', { data: Buffer.from('0'), version: 700 });
  await load({});
  for (const batches of [2, 3, 5]) {
    await expect(load({ 'a.txt': 'new' }, batches)).rejects.toThrow('it died');
    cluster.holder = undefined;
  }
  expect(versionOf('a.txt')).toBeLessThan(700);
  expect(await load({ 'a.txt': 'new' })).toMatchObject({ changed: true });
  expect(versionOf('a.txt')).toBeGreaterThan(700);
  expect(await load({ 'a.txt': 'new' })).toMatchObject({ changed: false });
});

test('a path whose version is too high to exceed is rejected by name', async () => {
  await load({ 'a.txt': '0' });
  cluster.nodes.library.set('a.txt', { data: Buffer.from('0'), version: 2_000_000 });
  await load({});
  await expect(load({ 'a.txt': '1' })).rejects.toThrow(/a\.txt: error: .*2000000.*rename it/);
});

test('records without versions gain them with the next load', async () => {
  await load({ 'a.txt': '1', 'b.txt': '1' });
  const record = cluster.nodes.state.get('loads/1/record')!;
  expect(Buffer.from(record.data).toString()).not.toContain('version_parts');
  await load({ 'b.txt': '1' });
  await load({ 'a.txt': '2', 'b.txt': '1' });
  expect(versionOf('a.txt')).toBe(1);
});

test('thousands of recreated paths are each written twice', async () => {
  const files = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${index}.txt`, 'x']));
  await load(files);
  await load({});
  expect(await writesOf(files)).toBeLessThan(30);
  expect(new Set([...cluster.nodes.library].map(([, { version }]) => version))).toEqual(new Set([1, 2]));
});

test.each([3, 4, 5, 6, 7, 8])(
  'after a load that died after %i batches while it recreated paths, none has a version that it had before',
  async (batches) => {
    const filesOf = (text: string): Files =>
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.txt`, text]));
    await load(filesOf('old'));
    await load({});
    await expect(load(filesOf('new'), batches)).rejects.toThrow('it died');
    cluster.holder = undefined;
    await load(filesOf('new'));
    expect(Object.keys(filesOf('new')).filter((path) => versionOf(path) === 0)).toEqual([]);
    expect(await load(filesOf('new'))).toMatchObject({ changed: false });
  },
);

const PATHS = ['a.txt', 'b.txt', 'c/d.txt', 'c/e.txt', 'f', 'f/g.txt'];
const library = fc
  .dictionary(fc.constantFrom(...PATHS), fc.constantFrom('1', '2', '3'), { maxKeys: PATHS.length })
  // A name is either a file's or a folder's.
  .map((files) => ('f/g.txt' in files ? { ...files, f: undefined } : files))
  .map(
    (files) => Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined)) as Files,
  );
const event = fc.record({
  files: library,
  /** Batches until the load fails; most do not. */
  batches: fc.option(fc.integer({ min: 0, max: 4 }), { nil: Infinity, freq: 3 }),
  /** At which batches the consumer looks. */
  looks: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  /** Large loads take several batches. */
  ballast: fc.constantFrom(0, 0, 110),
});

test('for any loads and interruptions, a consumer that compares versions misses nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 9 }), async (events) => {
      cluster = new MemoryCluster();
      const consumer = new DigestConsumer();
      for (const { files, batches, looks, ballast } of [...events, events[0]!]) {
        const more = Object.fromEntries(
          Array.from({ length: ballast }, (_, index) => [`z/${index}.txt`, 'z']),
        );
        let batch = 0;
        const isWhole = await load({ ...files, ...more }, batches, () => {
          if (looks[batch++ % looks.length]) consumer.check();
        }).then(
          () => true,
          () => false,
        );
        cluster.holder = undefined;
        if (!isWhole || !looks[0]) continue;
        consumer.check();
        expect(consumer.content).toBe(stored());
      }
    }),
    { numRuns: 150 },
  );
});
