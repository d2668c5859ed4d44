import { joinChunks } from '../../test/join-chunks.js';
import { type LookupTree, PortableTree } from '../mmdb/lookup-tree.js';
import { DATA, EMPTY } from '../mmdb/node-store.js';
import { EngineTree } from './engine-tree.js';

const PLACES = 100;

/** Nodes of all kinds: with the node before as left child, as right child, and with others. */
function fill(nodes: LookupTree, count: number): void {
  for (let node = 0; node < count; node++) {
    const value = node % 7 === 0 ? EMPTY : DATA + (node % PLACES);
    const before = node === 0 ? EMPTY : node - 1;
    const kind = (node * 31) % 11;
    if (kind === 0) nodes.add(value, DATA + (node % 13));
    else if (kind === 1 && node > 10) nodes.add(node - 10, value);
    else if (kind < 6) nodes.add(before, value);
    else nodes.add(value, before);
  }
}

test.each([
  // Fewer than the nodes of a chunk, and more than those that are encoded together.
  [24, 5_000],
  [24, 200_000],
  [28, 200_000],
  [32, 200_000],
] as const)('records of %i bits of %i nodes are those of the tree in JavaScript', (recordSize, count) => {
  const largest = 2 ** recordSize - count - 16;
  const places = Uint32Array.from({ length: PLACES }, (_, at) => largest - at * 1_000_003 * (at % 2));
  const [engine, portable] = [EngineTree.start(PLACES, PLACES)!, new PortableTree()];
  for (const tree of [engine, portable]) fill(tree, count);
  const [encoded, expected] = [engine, portable].map((tree) => joinChunks(tree.encode(places, recordSize)));
  expect(Buffer.from(encoded!).equals(expected!)).toBe(true);
});
