import { loadLibrary } from './load-library.js';
import { readDrift, readHistory } from './library-status.js';
import type { LoadOptions } from './load-task.js';
import { type Files, fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

let cluster: MemoryCluster;
let store: MemoryLibraryStore;

beforeEach(() => {
  cluster = new MemoryCluster();
  store = new MemoryLibraryStore(cluster);
});

const load = async (files: Files, options: Partial<LoadOptions> = {}) =>
  loadLibrary(
    fixedSource(files),
    store,
    { ...PLAIN_LOAD, ...options },
    { id: 'one', by: 'a test', now: () => new Date(0) },
  );
const repair = async (files: Files, repairs: number) => load(files, { repairs, prune: 'none' });
const textOf = (path: string) => cluster.nodes.library.get(path)?.data.toString();
const manifest = () => JSON.parse(cluster.nodes.state.get('manifest')!.data.toString());
/** As another client does it. */
const put = (path: string, text: string) =>
  cluster.nodes.library.set(path, {
    data: Buffer.from(text),
    version: (cluster.nodes.library.get(path)?.version ?? -1) + 1,
  });

const FILES = { 'a.yaml': 'a: 1', 'f/b.yaml': 'b: 1', 'f/c.yaml': 'c: 1' };

test('a repair restores what others changed and removed, and keeps what they added', async () => {
  await load(FILES);
  put('a.yaml', 'a: 2');
  cluster.nodes.library.delete('f/b.yaml');
  put('f/theirs.yaml', 'x: 1');
  const { reading } = manifest();
  expect(await repair(FILES, 1)).toMatchObject({ load: 2, updated: 1, created: 1, deleted: 0, version: '3' });
  expect([textOf('a.yaml'), textOf('f/b.yaml'), textOf('f/theirs.yaml')]).toEqual(['a: 1', 'b: 1', 'x: 1']);
  expect(await readDrift(store)).toEqual([]);
  expect((await readHistory(store)).map(({ kind }) => kind)).toEqual(['repair', undefined]);
  // The next look at the source finds it unchanged.
  expect(manifest().reading).toBe(reading);
  expect(await load(FILES, { ifChanged: true })).toMatchObject({ skipped: true });
});

test('a repair of a load that another has followed, or is about to follow, is skipped', async () => {
  await load(FILES);
  await load({ ...FILES, 'a.yaml': 'a: 2' });
  expect(await repair(FILES, 1)).toMatchObject({ skipped: true, changed: false, load: 2 });
  const data = Buffer.from(JSON.stringify({ ...manifest(), pending: { load: 3, by: 'x', since: 'y' } }));
  cluster.nodes.state.set('manifest', { data, version: 9 });
  expect(await repair({ ...FILES, 'a.yaml': 'a: 2' }, 2)).toMatchObject({ skipped: true });
  expect(textOf('a.yaml')).toBe('a: 2');
});

test('after a rollback the repaired library stays rolled back, and its owner stays the same', async () => {
  const newer = { ...FILES, 'a.yaml': 'a: 2' };
  await load(FILES);
  await load(newer);
  await load(FILES, { isRollback: true });
  expect((await readHistory(store))[0]).toMatchObject({ load: 3, kind: 'rollback' });
  put('a.yaml', 'a: 3');
  const copy = { ...fixedSource(FILES), name: 'copy of load 3', origin: 'copy' };
  const options = { ...PLAIN_LOAD, repairs: 3, prune: 'none' } as const;
  const run = { id: 'two', by: 'a test', now: () => new Date(0) };
  expect(await loadLibrary(copy, store, options, run)).toMatchObject({ load: 4, updated: 1 });
  expect(textOf('a.yaml')).toBe('a: 1');
  expect(await load(newer, { ifChanged: true })).toMatchObject({ skipped: true });
  expect(await load({ ...newer, 'd.yaml': 'd: 1' })).toMatchObject({ created: 1, updated: 1 });
});

test('a repair of a library without drift writes nothing', async () => {
  await load(FILES);
  const before = JSON.stringify([...cluster.nodes.state]);
  expect(await repair(FILES, 1)).toMatchObject({ changed: false, load: 1 });
  expect(JSON.stringify([...cluster.nodes.state])).toBe(before);
});
