import { loadLibrary } from './load-library.js';
import { readHistory, readStatus } from './library-status.js';
import { readManifest } from './load-state.js';
import type { LoadOptions } from './load-task.js';
import type { LastLoaded, LibrarySource, SourceTree } from './ports/library-source.js';
import { fixedSource, type Files, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryLibraryStore } from './testing/memory-library-store.js';
import { SIGNATURE_NODE } from './version-node.js';

const SIGNATURE = {
  signed_by: 'alice@example.com',
  signing_key: 'SHA256:x',
  signed_at: '2026-01-01T00:00:00.000Z',
};

let store: MemoryLibraryStore;
beforeEach(() => {
  store = new MemoryLibraryStore();
});

/** What the source was compared with, per load. */
const asked: (LastLoaded | undefined)[] = [];
beforeEach(() => asked.splice(0));

function sourceOf(files: Files, revision: string, verdict: Partial<SourceTree> = {}): LibrarySource {
  const source = fixedSource(files, revision);
  return {
    ...source,
    read: async (createFilter, signal, maxBytes, lastLoaded) => {
      asked.push(await lastLoaded?.());
      return { ...(await source.read(createFilter, signal, maxBytes)), ...verdict };
    },
  };
}

const load = async (source: LibrarySource, options: Partial<LoadOptions> = {}) =>
  loadLibrary(source, store, { ...PLAIN_LOAD, ...options }, { id: '1', by: 'me', now: () => new Date(0) });

async function readVersion(): Promise<string | undefined> {
  return (await readStatus(store, PLAIN_LOAD.versionNode)).version;
}

async function signatureNode(): Promise<unknown> {
  const node = (await store.read('library', [SIGNATURE_NODE])).get(SIGNATURE_NODE);
  return node && JSON.parse(Buffer.from(node.data).toString());
}

test('who signed a load stands in its report, the history, the manifest and beside the version node', async () => {
  const report = await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one', { signature: SIGNATURE }));
  expect(report).toMatchObject({ ...SIGNATURE, version: '2' });
  expect((await readHistory(store))[0]).toMatchObject({ ...SIGNATURE, revision: 'one' });
  expect(await readManifest(store)).toMatchObject({ ...SIGNATURE, revision: 'one' });
  expect(await signatureNode()).toEqual({ version: '2', load: 1, commit: 'one', ...SIGNATURE });
});

test('a new commit without changes is signed in the manifest, and consumers are not disturbed', async () => {
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one', { signature: SIGNATURE }));
  const before = await signatureNode();
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'two', { signature: { ...SIGNATURE, signed_by: 'bob' } }));
  expect(await readManifest(store)).toMatchObject({ revision: 'two', signed_by: 'bob' });
  expect(await signatureNode()).toEqual(before);
});

test('a signature gained without changes is in the history and beside the version, which stays', async () => {
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one'));
  const report = await load(sourceOf({ 'a.yaml': 'a: 1' }, 'two', { signature: SIGNATURE }), {
    verify: 'ssh',
  });
  expect(report).toMatchObject({ ...SIGNATURE, changed: false, load: 2 });
  expect(report).not.toHaveProperty('version');
  expect(await readHistory(store)).toMatchObject([{ ...SIGNATURE, revision: 'two' }, { revision: 'one' }]);
  expect(await signatureNode()).toEqual({ version: '2', load: 2, commit: 'two', ...SIGNATURE });
  expect(await readVersion()).toBe('2');
});

test('a load that was not verified has no signature anywhere', async () => {
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one', { signature: SIGNATURE }));
  await load(sourceOf({ 'a.yaml': 'a: 2' }, 'two'));
  expect(await signatureNode()).toBeUndefined();
  expect(Object.keys((await readHistory(store))[0] ?? {})).not.toContain('signed_by');
  expect(Object.keys((await readManifest(store)) ?? {})).not.toContain('signed_by');
});

test('without a version node, changes remove the signature of the content before', async () => {
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one', { signature: SIGNATURE }));
  await load(sourceOf({ 'a.yaml': 'a: 2' }, 'two', { signature: SIGNATURE }), { versionNode: undefined });
  expect(await signatureNode()).toBeUndefined();
  expect(await readVersion()).toBe('2');
});

test('without verification no node is written beside the version node', async () => {
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one'));
  expect(await signatureNode()).toBeUndefined();
});

describe('a source is compared with the last commit of its own that was loaded', () => {
  const of = (origin: string, revision: string, text = revision) => ({
    ...sourceOf({ 'a.yaml': `a: ${text}` }, revision),
    origin,
  });
  const recordOf = (number: number) => store.cluster.nodes.state.get(`loads/${number}/record`)!;

  test('which the manifest knows, even if it changed nothing', async () => {
    for (const revision of ['one', 'two', 'three']) await load(of('a', revision, 'same'));
    await load({ ...of('a', 'four'), kind: 'folder' });
    expect(asked).toEqual([undefined, { revision: 'one' }, { revision: 'two' }, undefined]);
  });

  test('also after another source took over, and after its load was restored', async () => {
    await load(of('a', 'a1'));
    await load(of('b', 'b1'), { takeOver: true });
    await load(of('a', 'a2'), { takeOver: true });
    await load(of('b', 'b1'), { isRollback: true });
    await load(of('a', 'a3'));
    await load(of('c', 'c1'), { takeOver: true });
    const [one, two] = [{ revision: 'a1' }, { revision: 'b1' }];
    expect(asked).toEqual([undefined, undefined, one, two, { revision: 'a2' }, undefined]);
  });

  test('not with one whose load was interrupted', async () => {
    await load(of('a', 'a1'));
    await load(of('a', 'a2'));
    const { data } = recordOf(2);
    const record = { ...(JSON.parse(Buffer.from(data).toString()) as object), load: 3, revision: 'a3' };
    const unfinished = Buffer.from(JSON.stringify({ ...record, finished_at: undefined }));
    store.cluster.nodes.state.set('loads/3', { data: Buffer.of(), version: 0 });
    store.cluster.nodes.state.set('loads/3/record', { data: unfinished, version: 0 });
    await load(of('a', 'a4'));
    expect(asked.at(-1)).toEqual({ revision: 'a2' });
  });

  test('which is unknown if a record that could name it is missing or damaged', async () => {
    await load(of('a', 'a1'));
    await load(of('b', 'b1'), { takeOver: true });
    recordOf(1).data.fill(32);
    await load(of('a', 'a2'), { takeOver: true });
    for (const path of [...store.cluster.nodes.state.keys()]) {
      if (path.startsWith('loads/')) store.cluster.nodes.state.delete(path);
    }
    await load(of('a', 'a3'));
    expect(asked.slice(2)).toEqual([
      { unknown: 'memory:loads/1/record is damaged' },
      { unknown: 'memory:loads/3/record is missing' },
    ]);
  });
});

test('an accepted older commit stands in the history, even if it changes nothing', async () => {
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'two', { signature: SIGNATURE }));
  const report = await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one', { signature: SIGNATURE, isOlder: true }));
  expect(report).toMatchObject({ changed: false, load: 2 });
  const [last, first] = await readHistory(store);
  expect([last?.allowed_older, first?.allowed_older]).toEqual([true, undefined]);
});

test('a restored load keeps the signature that it was loaded with', async () => {
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one', { signature: SIGNATURE }));
  await load(sourceOf({ 'a.yaml': 'a: 2' }, 'two', { signature: { ...SIGNATURE, signed_by: 'bob' } }));
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one'), { isRollback: true, signature: SIGNATURE });
  expect(await signatureNode()).toEqual({ version: '4', load: 3, commit: 'one', ...SIGNATURE });
});

test('after signatures were required, a load without changes can be repaired, with the signature of its newest commit', async () => {
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one'));
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'two', { signature: SIGNATURE }), { verify: 'ssh' });
  const newest = { ...SIGNATURE, signed_by: 'bob' };
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'three', { signature: newest }), { verify: 'ssh' });
  store.cluster.nodes.library.get('a.yaml')!.data.fill(32);
  const [{ revision, load: repairs, ...record } = {}] = await readHistory(store);
  expect({ revision, ...record }).toMatchObject({ revision: 'two', ...SIGNATURE });
  const report = await load(sourceOf({ 'a.yaml': 'a: 1' }, 'two'), {
    repairs: repairs!,
    signature: SIGNATURE,
  });
  expect(report).toMatchObject({ updated: 1, load: 3, revision: 'three', ...newest });
  expect(await readManifest(store)).toMatchObject({ revision: 'three', ...newest });
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'four', { signature: newest }));
  expect(asked.at(-1)).toEqual({ revision: 'three' });
});

test('what was loaded before signatures were verified is not taken for unchanged', async () => {
  const source = sourceOf({ 'a.yaml': 'a: 1' }, 'one', { signature: SIGNATURE });
  await load(sourceOf({ 'a.yaml': 'a: 1' }, 'one'));
  expect(await load(source, { ifChanged: true, verify: 'ssh' })).toMatchObject({ skipped: false });
  expect(await readManifest(store)).toMatchObject(SIGNATURE);
  expect(await load(source, { ifChanged: true, verify: 'ssh' })).toMatchObject({ skipped: true });
});
