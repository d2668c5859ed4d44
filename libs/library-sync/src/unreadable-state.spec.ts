import { gzipSync } from 'node:zlib';
import { loadLibrary } from './load-library.js';
import { readHistory, readStatus } from './library-status.js';
import { fixedSource, PLAIN_LOAD } from './testing/load-fixtures.js';
import { MemoryCluster, MemoryLibraryStore } from './testing/memory-library-store.js';

let cluster: MemoryCluster;
let store: MemoryLibraryStore;

const load = async (text: string) =>
  loadLibrary(fixedSource({ 'a.txt': text }), store, PLAIN_LOAD, {
    id: 'one',
    by: 'a test',
    now: () => new Date(0),
  });

beforeEach(async () => {
  cluster = new MemoryCluster();
  store = new MemoryLibraryStore(cluster);
  await load('1');
});

const REMOVE = 'remove it, and the next load runs as if it had never existed';
const OVERFLOW = gzipSync(Buffer.alloc((64 << 20) + 1));

test.each([
  ['manifest', 'garbage', 'is damaged (it is not JSON)'],
  ['manifest', 'null', 'is damaged (not a JSON object)'],
  ['manifest', '{"format":1}', 'is damaged (not a manifest)'],
  ['manifest', '{"format":1,"load":0,"pending":{}}', 'is damaged (its pending load has no number)'],
  ['loads/1/record', '{"load":1}', 'is damaged (not a load record)'],
  ['loads/1/record', '{"load":1,"revision":"","parts":1e8}', 'is damaged (not a load record)'],
  ['loads/1/0', 'xx', 'is damaged (incorrect header check)'],
  ['loads/1/0', OVERFLOW, `is damaged (Cannot create a Buffer larger than ${64 << 20} bytes)`],
])('a %s with %s stops a load, with the remedy', async (path, text, reason) => {
  cluster.nodes.state.set(path, { data: Buffer.from(text), version: 0 });
  const message = `memory:${path} ${reason}; ${REMOVE}`;
  await expect(load('2')).rejects.toMatchObject({ name: 'UnreadableStateError', message });
  expect(cluster.holder).toBeUndefined();
  cluster.nodes.state.delete(path);
  expect(await load('2')).toMatchObject({ updated: 1, version: '3' });
});

test('a manifest of a later version stops a load, and is not reported as damaged', async () => {
  cluster.nodes.state.set('manifest', { data: Buffer.from('{"format":2}'), version: 0 });
  const message = 'memory:manifest was written by a newer svccmd; use that version or a later one';
  await expect(load('2')).rejects.toThrow(message);
  await expect(readStatus(store, undefined)).rejects.toThrow(message);
});

test('status and history name the node that cannot be read', async () => {
  cluster.nodes.state.set('lock', { data: Buffer.from('{}'), version: 0 });
  await expect(readStatus(store, undefined)).rejects.toThrow(
    `memory:lock is damaged (it has no holder); ${REMOVE}`,
  );
  cluster.nodes.state.set('loads/1/record', { data: Buffer.from('xx'), version: 0 });
  await expect(readHistory(store)).rejects.toThrow(
    `memory:loads/1/record is damaged (it is not JSON); ${REMOVE}`,
  );
});

test('a damaged record of an older load does not stop a load, and is removed', async () => {
  await load('2');
  cluster.nodes.state.set('loads/1/record', { data: Buffer.from('xx'), version: 0 });
  await load('3');
  const history = await readHistory(store);
  expect(history.map((record) => record.load)).toEqual([3, 2]);
});
