import { loadLibrary } from './load-library.js';
import type { LoadOptions } from './load-task.js';
import { readDrift } from './library-status.js';
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
    { ...PLAIN_LOAD, allowEmpty: true, ...options },
    { id: 'one', by: 'a test', now: () => new Date(0) },
  );
const annotate = (path: string) =>
  cluster.nodes.library.set(path, { data: Buffer.from('theirs'), version: 3 });
const textOf = (path: string) => cluster.nodes.library.get(path)?.data.toString();

test("others' data on a folder's node is kept, and no load reports a change", async () => {
  await load({ 'f/a.txt': '1', 'empty/': '' });
  annotate('f');
  annotate('empty');
  expect(await load({ 'f/a.txt': '1', 'empty/': '' })).toMatchObject({ changed: false });
  expect(await load({ 'f/a.txt': '2', 'empty/': '' })).toMatchObject({ updated: 1 });
  expect([textOf('f'), textOf('empty'), textOf('f/a.txt')]).toEqual(['theirs', 'theirs', '2']);
  expect(cluster.nodes.library.get('f')?.version).toBe(3);
  expect(await readDrift(store)).toEqual([]);
});

test('a folder with others’ data is kept when removed from the source, unless everything is pruned', async () => {
  await load({ 'f/a.txt': '1', 'b.txt': '1' });
  annotate('f');
  for (let round = 0; round < 3; round += 1) {
    expect(await load({ 'b.txt': '1' })).toMatchObject({ kept: ['f'], deleted: round === 0 ? 1 : 0 });
    expect(textOf('f')).toBe('theirs');
  }
  await load({ 'f/a.txt': '1', 'b.txt': '1' });
  expect([textOf('f'), textOf('f/a.txt')]).toEqual(['theirs', '1']);
  expect(await load({ 'b.txt': '1' }, { prune: 'all' })).toMatchObject({ kept: [], deleted: 2 });
  expect(cluster.nodes.library.has('f')).toBe(false);
});

test('an existing folder with others’ data is adopted with that data', async () => {
  annotate('f');
  expect(await load({ 'f/a.txt': '1' })).toMatchObject({ created: 1, updated: 0, foreign: [] });
  expect(textOf('f')).toBe('theirs');
});

test('a loaded file that becomes a folder loses its data, even if changed by others', async () => {
  await load({ f: '1' });
  annotate('f');
  expect(await load({ 'f/a.txt': '1' })).toMatchObject({ created: 1, updated: 1 });
  expect(textOf('f')).toBe('');
});

describe('an ephemeral node of another client', () => {
  const EPHEMERAL =
    "is in the source, but in the destination it is an ephemeral node of another ZooKeeper client, which disappears with that client's session; remove or rename one";
  const announce = (path: string) =>
    cluster.nodes.library.set(path, { data: Buffer.from('theirs'), version: 0, isTemporary: true });

  test.each<[string, Files]>([
    ['as a file', { 'b.txt': '1', workers: 'ours' }],
    ['as a file with its content', { 'b.txt': '1', workers: 'theirs' }],
    ['as a folder', { 'b.txt': '1', 'workers/a.txt': '1' }],
  ])('is in the way if the source has its path %s, and nothing is written', async (_case, files) => {
    announce('workers');
    for (const prune of ['owned', 'all', 'none'] as const) {
      for (const dryRun of [true, false]) {
        await expect(load(files, { prune, dryRun })).rejects.toMatchObject({
          name: 'BlockedLibraryError',
          findings: [{ path: 'workers', code: 'node-temporary', message: EPHEMERAL }],
        });
      }
    }
    expect([...cluster.nodes.library.keys()]).toEqual(['workers']);
  });

  test('is left alone elsewhere, even where a load wrote a file before, unless everything is pruned', async () => {
    await load({ 'b.txt': '1', workers: 'ours' });
    announce('workers');
    announce('other');
    expect(await load({ 'b.txt': '1' })).toMatchObject({ foreign: ['other', 'workers'], deleted: 0 });
    expect([textOf('workers'), textOf('other')]).toEqual(['theirs', 'theirs']);
    expect(await load({ 'b.txt': '1' }, { prune: 'all' })).toMatchObject({ foreign: [], deleted: 2 });
  });
});

test('an interrupted load’s file becomes a folder again without its data', async () => {
  const files = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`${index}.txt`, 'x']));
  await load({ 'f/': '' });
  const apply = store.apply.bind(store);
  let batches = 0;
  store.apply = async (batch, lock) => {
    if ((batches += 1) === 5) throw new Error('it died');
    return apply(batch, lock);
  };
  await expect(load({ f: 'ours', ...files })).rejects.toThrow('it died');
  cluster.holder = undefined;
  expect(textOf('f')).toBe('ours');
  await load({ 'f/': '' });
  expect(textOf('f')).toBe('');
});
