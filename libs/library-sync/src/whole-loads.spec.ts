import {
  type LibraryLock,
  OutcomeUnknownError,
  StoreUnreachableError,
  type WriteOperation,
} from './ports/library-store.js';
import { loadLibrary } from './load-library.js';
import { readManifest } from './load-state.js';
import { fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

/** Fails after some batches, and drops those that are larger than this, as a server with a low limit does. */
class Limited extends MemoryLibraryStore {
  private applied = Promise.resolve();

  constructor(
    cluster: MemoryCluster,
    private readonly seen: () => Promise<void>,
    private readonly most: number,
    override readonly isAtomic: boolean,
    private writes = Infinity,
  ) {
    super(cluster);
  }

  override async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    if ((this.writes -= 1) < 0) throw new StoreUnreachableError('it died');
    const bytes = batch.reduce((sum, one) => sum + (one.type === 'remove' ? 0 : one.data.length), 0);
    if (bytes > this.most) throw new OutcomeUnknownError('connection lost');
    // One after another, as a cluster applies them.
    for (const part of this.isAtomic ? [batch] : batch.map((one) => [one])) {
      this.applied = this.applied.then(async () => super.apply(part, lock)).then(this.seen);
    }
    await this.applied;
  }
}

/** Every file says which load wrote it. */
const filesOf = (load: number, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${index + load}.txt`, `${load} ${'x'.repeat(10_000)}`]),
  );

test.each([
  ['one batch', 40, 900_000, true],
  ['one batch that the destination drops', 40, 250_000, true],
  ['one batch without transactions', 40, 900_000, false],
  ['several batches', 250, 900_000, true],
  ['several batches that the destination drops', 250, 250_000, true],
])(
  'loads in %s, killed anywhere: a mixture is there only while a load is pending',
  async (_, count, most, isAtomic) => {
    const cluster = new MemoryCluster();
    const reader = new MemoryLibraryStore(cluster);
    const looks = { mixed: 0, whole: 0, mistaken: 0 };
    const look = async (): Promise<void> => {
      const loads = new Set<string>();
      let files = 0;
      await reader.readTree(({ data }) => {
        files += 1;
        loads.add(Buffer.from(data).toString().split(' ')[0]!);
      });
      const isMixed = loads.size > 1 || (files > 0 && files !== count);
      looks[isMixed ? 'mixed' : 'whole'] += 1;
      if (isMixed && !(await readManifest(reader))?.pending) looks.mistaken += 1;
    };
    for (let load = 1; load <= 12; load += 1) {
      const store = new Limited(cluster, look, most, isAtomic, load % 2 === 0 ? load / 2 : undefined);
      const run = { id: `load-${load}`, by: 'a test', now: () => new Date(0) };
      await loadLibrary(fixedSource(filesOf(load, count), `${load}`), store, PLAIN_LOAD, run).catch(
        () => undefined,
      );
      cluster.holder = undefined;
    }
    expect(looks.mistaken).toBe(0);
    expect(looks.whole).toBeGreaterThan(5);
    // Only a load in one transaction never shows a mixture.
    expect(looks.mixed > 0).toBe(count > 40 || most < 900_000 || !isAtomic);
  },
);
