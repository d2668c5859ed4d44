import { joinChunks } from '../../test/join-chunks.js';
import { chooseRecordSize, encodeTree } from './encode-tree.js';
import type { RecordSize } from './mmdb-format.js';
import { DATA, EMPTY, NodeStore } from './node-store.js';
import { SearchTree } from './search-tree.js';

function treeOf(nodes: NodeStore, places: Uint32Array, recordSize: RecordSize): SearchTree {
  const bytes = joinChunks(encodeTree(nodes, places, recordSize));
  expect(bytes.length).toBe((nodes.count * recordSize) / 4);
  return new SearchTree(bytes, {
    databaseType: '',
    description: {},
    languages: [],
    buildEpoch: 0,
    ipVersion: 6,
    nodeCount: nodes.count,
    recordSize,
  });
}

test.each([
  [24, 0xff_0102 - 3 - 16 + 1],
  [28, 0xfab_cdef - 3 - 16 + 1],
  [32, 0xfedc_ba98 - 3 - 16 + 1],
] as const)('records of %i bits hold nodes, values and nothing, the root first', (recordSize, place) => {
  const nodes = new NodeStore();
  const low = nodes.add(EMPTY, DATA + 1);
  const middle = nodes.add(DATA, low);
  nodes.add(middle, EMPTY);
  const tree = treeOf(nodes, Uint32Array.of(place, 1), recordSize);
  const records = [0, 1, 2].map((node) => [tree.record(node, 0), tree.record(node, 1)]);
  // A place is a value's offset plus one; values start 16 bytes after the tree.
  expect(records).toEqual([
    [1, 3],
    [place - 1 + 3 + 16, 2],
    [3, 3 + 16],
  ]);
});

test('a tree of many chunks', () => {
  const nodes = new NodeStore();
  const count = 300_000;
  for (let node = 0; node < count; node++) nodes.add(node === 0 ? EMPTY : node - 1, DATA + (node % 2));
  expect([nodes.child(200_000, 0), nodes.child(200_000, 1)]).toEqual([199_999, DATA]);
  const tree = treeOf(nodes, Uint32Array.of(1, 11), 28);
  const wrong = Array.from({ length: count }, (_, node) => node).filter(
    (node) =>
      tree.record(node, 0) !== node + 1 ||
      tree.record(node, 1) !== count + 16 + ((count - 1 - node) % 2) * 10,
  );
  expect(wrong).toEqual([]);
});

test('the walk stops at non-nodes, and after the requested bits', () => {
  const nodes = new NodeStore();
  nodes.add(nodes.add(EMPTY, DATA), EMPTY);
  const tree = treeOf(nodes, Uint32Array.of(1), 24);
  const walk = (start: number, first: number, width: number) => [
    tree.walk(start, Uint32Array.of(first), width),
    tree.depth,
  ];
  expect(walk(0, 0x4000_0000, 32)).toEqual([18, 2]);
  expect(walk(0, 0x8000_0000, 32)).toEqual([2, 1]);
  expect(walk(0, 0, 32)).toEqual([2, 2]);
  expect(walk(0, 0, 1)).toEqual([1, 1]);
  expect(walk(1, 0x8000_0000, 1)).toEqual([18, 1]);
  expect(walk(18, 0, 32)).toEqual([18, 0]);
});

test.each([
  [10, 2 ** 24 - 16 - 11, 24],
  [10, 2 ** 24 - 16 - 10, 28],
  [10, 2 ** 28 - 16 - 11, 28],
  [10, 2 ** 28 - 16 - 10, 32],
  [10, 2 ** 32 - 16 - 11, 32],
])('%i nodes and %i bytes of values need records of %i bits', (nodes, bytes, size) => {
  expect(chooseRecordSize(nodes, bytes)).toBe(size);
});
