import { build } from '../../test/build-in-memory.js';
import { PagedTree } from './paged-tree.js';
import { ParsedLookup } from './parsed-lookup.js';

const ROWS = Array.from({ length: 600 }, (_, row) => `2001:db8:${row.toString(16)}::1,${row % 9}`);
const { bytes } = build(`network,v\n${ROWS.join('\n')}\n`, { inputFormat: 'cidr' });
const { tree, metadata } = new ParsedLookup(bytes);

test('a tree that is read in pages is the same, in any order', () => {
  let reads = 0;
  const readAt = (target: Uint8Array, position: number) => {
    reads++;
    target.set(bytes.subarray(position, position + target.length));
  };
  const paged = new PagedTree(metadata, readAt, 4);
  const pages = Math.ceil(metadata.nodeCount / 1024);
  expect(pages).toBeGreaterThan(20);
  const nodes = Array.from({ length: metadata.nodeCount }, (_, node) => node);
  const childrenIn = (of: typeof tree, order: readonly number[]) =>
    order.flatMap((node) => [of.record(node, 0), of.record(node, 1)]);
  for (const order of [nodes, nodes.toReversed()])
    expect(childrenIn(paged, order)).toEqual(childrenIn(tree, order));
  // In order, each page is read once; the last four are still there on the way back.
  expect(reads).toBe(2 * pages - 4);
  const jumps = nodes.map((node) => (node * 7_919) % metadata.nodeCount);
  expect(childrenIn(paged, jumps)).toEqual(childrenIn(tree, jumps));
  const words = Uint32Array.of(0x2001_0db8, 7 << 16, 0, 1);
  expect(paged.walk(0, words, 128)).toBe(tree.walk(0, words, 128));
});

test('a page that cannot be read is not taken for the one that was there', () => {
  let isBroken = false;
  const paged = new PagedTree(
    metadata,
    (target, position) => {
      target.set(bytes.subarray(position, position + target.length));
      if (isBroken) throw new Error('no such place');
    },
    1,
  );
  expect(paged.record(0, 0)).toBe(tree.record(0, 0));
  isBroken = true;
  expect(() => paged.record(1024, 0)).toThrow('no such place');
  expect(() => paged.record(0, 0)).toThrow('no such place');
});
