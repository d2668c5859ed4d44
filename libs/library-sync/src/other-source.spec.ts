import { loadLibrary } from './load-library.js';
import type { LoadOptions } from './load-task.js';
import { readHistory } from './library-status.js';
import { type Files, fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

let cluster: MemoryCluster;
let store: MemoryLibraryStore;

beforeEach(() => {
  cluster = new MemoryCluster();
  store = new MemoryLibraryStore(cluster);
});

/** @param name of the source, with its ref: `a#main` is of the origin `a` */
const load = async (name: string, files: Files, options: Partial<LoadOptions> = {}) =>
  loadLibrary(
    { ...fixedSource(files), name, origin: name.split('#')[0]! },
    store,
    { ...PLAIN_LOAD, ...options },
    { id: 'one', by: 'a test', now: () => new Date(0) },
  );
const A = { 'a.txt': '1' };
const B = { 'b.txt': '1' };
const paths = () => [...cluster.nodes.library.keys()].filter((path) => !path.startsWith('.')).sort();
const REFUSAL = {
  name: 'OtherSourceError',
  message:
    'memory was loaded from a, and loading b would remove that library; choose another destination.path, or load once with --take-over (?take_over=true over HTTP)',
};

test('another source is rejected by name before anything is written', async () => {
  await load('a', A);
  const before = JSON.stringify([...cluster.nodes.state, ...cluster.nodes.library]);
  for (const options of [{}, { dryRun: true }, { prune: 'none' }, { prune: 'all' }] as const) {
    await expect(load('b', B, options)).rejects.toMatchObject(REFUSAL);
  }
  expect(JSON.stringify([...cluster.nodes.state, ...cluster.nodes.library])).toBe(before);
  expect(cluster.holder).toBeUndefined();
});

test('another branch or commit is the same source', async () => {
  await load('a#main', A);
  expect(await load('a#next', { ...A, ...B })).toMatchObject({ created: 1, problems: [] });
  expect(await load('a', A)).toMatchObject({ deleted: 1 });
});

test('a record of an earlier release may have a Git URL with %40 where its source has @', async () => {
  await load('https://h/a%40b.git, folder c%40d', A);
  expect(await load('https://h/a@b.git, folder c%40d', A)).toMatchObject({ changed: false, problems: [] });
  await expect(load('https://h/a@b.git, folder c@d', A)).rejects.toMatchObject({ name: REFUSAL.name });
});

test('a folder with %40 in its name is not one with @', async () => {
  await load('/a%40b', A);
  await expect(load('/a@b', A)).rejects.toMatchObject({ name: REFUSAL.name });
});

test('a source that takes over owns the destination, even with equal content, and reports the previous owner', async () => {
  await load('a', A);
  const problem = { severity: 'warning', code: 'take-over', path: '' };
  const report = await load('b', A, { takeOver: true });
  expect(report).toMatchObject({ changed: false, load: 2, problems: [problem] });
  expect(report.problems[0]?.message).toBe(
    'was loaded from a until now; --take-over removes what b does not contain',
  );
  await expect(load('a', A)).rejects.toThrow('memory was loaded from b');
  expect(await load('b', B)).toMatchObject({ created: 1, deleted: 1, problems: [] });
  expect(await load('b', B, { takeOver: true })).toMatchObject({ changed: false, problems: [] });
  expect(paths()).toEqual(['b.txt']);
});

test('a plan to take over names the source that it would replace', async () => {
  await load('a', A);
  const report = await load('b', B, { takeOver: true, dryRun: true });
  expect(report).toMatchObject({ created: 1, deleted: 1, problems: [{ code: 'take-over' }] });
  expect(paths()).toEqual(['a.txt']);
});

test('a rollback to a previous owner’s load does not change the owner', async () => {
  await load('a', A);
  await load('b', B, { takeOver: true });
  expect(await load('a', A, { isRollback: true })).toMatchObject({ created: 1, problems: [] });
  expect(await load('b', B)).toMatchObject({ created: 1, deleted: 1 });
  await expect(load('a', A)).rejects.toMatchObject({ name: 'OtherSourceError' });
});

test('an interrupted first load, or a takeover, determines the owner', async () => {
  const many = (name: string) =>
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${name}${index}.txt`, name]));
  const cutOff = async (name: string, options: Partial<LoadOptions> = {}) => {
    const { apply } = store;
    let batches = 0;
    store.apply = async (batch, lock) => {
      if ((batches += 1) > 4) throw new Error('it died');
      return apply.call(store, batch, lock);
    };
    await expect(load(name, many(name), options)).rejects.toThrow('it died');
    store.apply = apply;
  };
  await cutOff('a');
  await expect(load('b', B)).rejects.toMatchObject(REFUSAL);
  await load('a', many('a'));
  await cutOff('b', { takeOver: true });
  await expect(load('a', A)).rejects.toThrow('memory was loaded from b');
  expect(await load('b', B)).toMatchObject({ created: 1 });
  expect(paths()).toEqual(['b.txt']);
});

test.each([
  ['no owner, as those of former releases', (record: object) => ({ ...record, owner: undefined }), true],
  [
    'neither owner nor origin',
    (record: object) => ({ ...record, owner: undefined, origin: undefined }),
    false,
  ],
])('records with %s still work, and record their source from then on', async (_case, change, isKnown) => {
  await load('a', A);
  const record = JSON.parse(
    Buffer.from(cluster.nodes.state.get('loads/1/record')!.data).toString(),
  ) as object;
  const data = Buffer.from(JSON.stringify(change(record)));
  cluster.nodes.state.set('loads/1/record', { data, version: 0 });
  if (isKnown) await expect(load('b', B)).rejects.toMatchObject(REFUSAL);
  expect(await load('a', A)).toMatchObject({ changed: false, problems: [] });
  await expect(load('b', B)).rejects.toMatchObject(REFUSAL);
  expect(await readHistory(store)).toHaveLength(isKnown ? 1 : 2);
});
