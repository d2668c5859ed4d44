import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidLibraryError } from '../ports/library-finding.js';
import { loadLibrary } from '../load-library.js';
import {
  type LibraryLock,
  LibraryLockedError,
  type LibraryStore,
  LockLostError,
  type StoredNode,
  WriteConflictError,
  type WriteOperation,
} from '../ports/library-store.js';
import type { LoadReport } from '../load-report.js';
import { type Files, fixedSource, PLAIN_LOAD } from './load-fixtures.js';

/** A property that every `LibraryStore` must have, with its test. */
export interface LibraryStoreFact {
  readonly name: string;
  /**
   * @param open opens another client of the same, initially empty, store
   * @param putUnreadable adds an unreadable node of another owner to the library
   */
  readonly check: (
    open: () => Promise<LibraryStore>,
    putUnreadable: (path: string) => Promise<void>,
  ) => Promise<void>;
}

const bytes = (text: string) => Buffer.from(text);
const folder = (path: string): WriteOperation => create(path, '', 'folder');

function create(path: string, data: string | Uint8Array, kind: 'file' | 'folder' = 'file'): WriteOperation {
  return { type: 'create', area: 'library', path, kind, data: typeof data === 'string' ? bytes(data) : data };
}

function update({ path, version }: StoredNode, data: string): WriteOperation {
  return { type: 'update', area: 'library', path, kind: 'file', data: bytes(data), version };
}

function remove({ path, version }: StoredNode): WriteOperation {
  return { type: 'remove', area: 'library', path, version };
}

async function takeLock(store: LibraryStore, waitMs = 0): Promise<LibraryLock> {
  const lock = await store.lock({ id: randomUUID(), by: 'a test', since: 'now' }, waitMs);
  await store.prepare(lock);
  return lock;
}

async function get(store: LibraryStore, path: string): Promise<StoredNode> {
  const node = (await store.read('library', [path])).get(path);
  assert.ok(node, `${path} is not there`);
  return node;
}

async function tree(store: LibraryStore): Promise<Map<string, string>> {
  const nodes = new Map<string, string>();
  await store.readTree(({ path, data }) => nodes.set(path, Buffer.from(data).toString()));
  return nodes;
}

async function load(store: LibraryStore, files: Files): Promise<LoadReport> {
  const run = { id: randomUUID(), by: 'a test', now: () => new Date() };
  return loadLibrary(fixedSource(files), store, PLAIN_LOAD, run);
}

const conflictAt = (path: string) => (error: unknown) =>
  error instanceof WriteConflictError && error.path === path;

/** The contract, for `test.each` in each implementation's specs. */
export const LIBRARY_STORE_FACTS: readonly LibraryStoreFact[] = [
  {
    name: 'a store begins empty',
    check: async (open) => {
      const store = await open();
      assert.deepEqual(await tree(store), new Map());
      assert.deepEqual(await store.children('state', 'loads'), []);
      assert.equal((await store.read('state', ['manifest'])).size, 0);
    },
  },
  {
    name: 'what was created in one batch, parents and children, is read back, parents first',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      await store.apply(
        [folder('a'), folder('a/b'), create('a/b/c.yaml', 'x: 1'), create('a/d.yaml', '')],
        lock,
      );
      const order: string[] = [];
      await store.readTree(({ path }) => order.push(path));
      assert.deepEqual([...order].sort(), ['a', 'a/b', 'a/b/c.yaml', 'a/d.yaml']);
      assert.ok(
        order.indexOf('a') < order.indexOf('a/b') && order.indexOf('a/b') < order.indexOf('a/b/c.yaml'),
      );
      assert.equal((await get(store, 'a')).kind, 'folder');
      assert.equal((await get(store, 'a/b/c.yaml')).kind, 'file');
      assert.deepEqual([...(await store.children('library', 'a'))].sort(), ['b', 'd.yaml']);
    },
  },
  {
    name: 'batches that do not wait for each other take effect in order',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      const paths = Array.from({ length: 20 }, (_, depth) => `a${'/b'.repeat(depth)}`);
      await Promise.all(paths.map(async (path) => store.apply([folder(path)], lock)));
      assert.deepEqual([...(await tree(store)).keys()], paths);
    },
  },
  {
    name: 'a library of several batches is loaded, and loaded again finds nothing to do',
    check: async (open) => {
      const files = Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`f${index % 30}/${index}.txt`, `${index}`]),
      );
      const store = await open();
      const { created, version } = await load(store, files);
      assert.deepEqual([created, version], [330, '2']);
      const stored = [...(await tree(store))].filter(([path]) => path.endsWith('.txt'));
      assert.deepEqual(Object.fromEntries(stored), files);
      const { changed, unchanged } = await load(store, files);
      assert.deepEqual([changed, unchanged], [false, 330]);
    },
  },
  {
    name: 'files that a load removed and a later one brings back have versions they never had',
    check: async (open) => {
      const store = await open();
      const files = (text: string) =>
        Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f/${index}.txt`, text]));
      const seen = new Set<number>();
      for (const text of ['one', 'two', 'three']) {
        await load(store, { ...files(text), 'stays.txt': 'x' });
        const { version } = await get(store, 'f/7.txt');
        assert.ok(!seen.has(version), `version ${version} is there again`);
        seen.add(version);
        await load(store, { 'stays.txt': 'x' });
      }
    },
  },
  {
    name: 'names and data are kept as they are',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      const names = ['with space.yaml', 'žluťoučký.yaml', '100%25.yaml', 'a:b.yaml', "it's.yaml", '\\.yaml'];
      const data = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
      await store.apply(
        names.map((name) => create(name, data)),
        lock,
      );
      assert.deepEqual([...(await tree(store)).keys()].sort(), [...names].sort());
      for (const name of names) assert.ok(data.equals((await get(store, name)).data));
    },
  },
  {
    name: 'a node of a million bytes goes in and out',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      const data = Buffer.alloc(1_000_000, 'x');
      await store.apply([create('large.csv', data)], lock);
      assert.ok(data.equals((await get(store, 'large.csv')).data));
    },
  },
  {
    name: 'an update is refused when the node was written since, even at version 0, and nothing of its batch is written',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      await store.apply([create('a.yaml', '1')], lock);
      const first = await get(store, 'a.yaml');
      await store.apply([update(first, '2')], lock);
      await assert.rejects(
        store.apply([create('b.yaml', ''), update(first, '3')], lock),
        conflictAt('a.yaml'),
      );
      await assert.rejects(store.apply([create('b.yaml', ''), remove(first)], lock), conflictAt('a.yaml'));
      assert.deepEqual(await tree(store), new Map([['a.yaml', '2']]));
    },
  },
  {
    name: 'a create is refused when the node is there, or its parent is not',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      await store.apply([create('a.yaml', '1')], lock);
      await assert.rejects(
        store.apply([create('b.yaml', ''), create('a.yaml', '2')], lock),
        conflictAt('a.yaml'),
      );
      await assert.rejects(store.apply([create('none/c.yaml', '')], lock), conflictAt('none/c.yaml'));
      assert.deepEqual(await tree(store), new Map([['a.yaml', '1']]));
    },
  },
  {
    name: 'a removal takes what it names, and is refused while children are left',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      await store.apply([folder('a'), create('a/b.yaml', '1')], lock);
      const [parent, child] = [await get(store, 'a'), await get(store, 'a/b.yaml')];
      await assert.rejects(store.apply([remove(parent)], lock), conflictAt('a'));
      await store.apply([remove(child), remove(parent)], lock);
      assert.deepEqual(await tree(store), new Map());
      await assert.rejects(store.apply([remove(child)], lock), conflictAt('a/b.yaml'));
    },
  },
  {
    name: 'a file becomes a folder, and a folder a file',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      await store.apply([create('x', 'data'), folder('y')], lock);
      const [x, y] = [await get(store, 'x'), await get(store, 'y')];
      const toFolder: WriteOperation = {
        type: 'update',
        area: 'library',
        path: 'x',
        kind: 'folder',
        data: bytes(''),
        version: x.version,
      };
      await store.apply([toFolder, create('x/z.yaml', '1'), update(y, 'now a file')], lock);
      assert.equal((await get(store, 'x')).kind, 'folder');
      assert.equal((await tree(store)).get('y'), 'now a file');
    },
  },
  {
    name: 'names that start with a dot are hidden, and what holds them says so',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      await store.apply(
        [folder('a'), create('a/.theirs.yaml', '1'), create('.version.yaml', '7'), folder('b')],
        lock,
      );
      assert.deepEqual([...(await tree(store)).keys()].sort(), ['a', 'b']);
      const hides = new Map<string, boolean>();
      await store.readTree(({ path, hidesOthers }) => hides.set(path, hidesOthers));
      assert.deepEqual([hides.get('a'), hides.get('b')], [true, false]);
      assert.equal(Buffer.from((await get(store, '.version.yaml')).data).toString(), '7');
    },
  },
  {
    name: 'an unreadable node does not block a load, unless the load must write it',
    check: async (open, putUnreadable) => {
      const store = await open();
      await load(store, { 'a/b.yaml': 'x: 1' });
      await putUnreadable('a/theirs.yaml');
      const kinds = new Map<string, StoredNode['kind']>();
      await store.readTree(({ path, kind }) => kinds.set(path, kind));
      assert.deepEqual([kinds.get('a/b.yaml'), kinds.get('a/theirs.yaml')], ['file', 'unreadable']);
      const { updated, foreign, unreadable } = await load(store, { 'a/b.yaml': 'x: 2' });
      assert.deepEqual([updated, foreign, unreadable], [1, ['a/theirs.yaml'], ['a/theirs.yaml']]);
      await assert.rejects(load(store, { 'a/b.yaml': 'x: 3', 'a/theirs.yaml': 'x: 1' }), (error) => {
        assert.ok(error instanceof InvalidLibraryError);
        return (
          assert.match(error.message, /^a\/theirs\.yaml: error: .* cannot be read \(no permission\)/m) ===
          undefined
        );
      });
      assert.equal(Buffer.from((await get(store, 'a/b.yaml')).data).toString(), 'x: 2');
    },
  },
  {
    name: 'the state lies outside of the library',
    check: async (open) => {
      const store = await open();
      const lock = await takeLock(store);
      await store.apply(
        [{ type: 'create', area: 'state', path: 'manifest', kind: 'file', data: bytes('{}') }],
        lock,
      );
      assert.deepEqual(await tree(store), new Map());
      assert.equal((await store.read('state', ['manifest', 'other'])).size, 1);
    },
  },
  {
    name: 'a second holder is refused with the name of the first, and let in after it, even if the clock is set',
    check: async (open) => {
      const [one, two] = [await open(), await open()];
      const lock = await takeLock(one);
      const isRefused = (error: unknown) =>
        error instanceof LibraryLockedError &&
        error.holder?.id === lock.holder.id &&
        error.message.includes('a test');
      await assert.rejects(takeLock(two), isRefused);
      const waiting = takeLock(two, 20_000);
      // Several attempts.
      await sleep(500);
      const { now } = Date;
      Date.now = () => now() + 3_600_000;
      await Promise.race([waiting, sleep(500)]).finally(() => (Date.now = now));
      await lock.release();
      await (await waiting).release();
    },
  },
  {
    name: 'who lost the lock can write no more',
    check: async (open) => {
      const [one, two] = [await open(), await open()];
      const lost = await takeLock(one);
      await lost.release();
      await assert.rejects(one.apply([create('a.yaml', '1')], lost), LockLostError);
      const held = await takeLock(two);
      await assert.rejects(one.apply([create('a.yaml', '1')], lost), LockLostError);
      assert.deepEqual(await tree(two), new Map());
      await held.release();
    },
  },
];
