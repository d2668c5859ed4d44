import fc from 'fast-check';
import { build } from '../../test/build-in-memory.js';
import { joinChunks } from '../../test/join-chunks.js';
import { runs } from '../../test/property-runs.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { MERGE_RULES, mergeLookups } from './merge-lookups.js';
import { MergedTree } from './merged-tree.js';
import { mergeTrees } from './merge-trees.js';

const MAPPED = 0xffffn << 32n;
const BASES = [MAPPED, MAPPED + (10n << 24n), 0x2001_0db8n << 96n, 0x2002n << 112n, 1n << 125n];

const row = fc
  .tuple(fc.constantFrom(...BASES), fc.nat(40), fc.nat(9), fc.nat(2))
  .map(([base, from, more, value]) => `${base + BigInt(from)},${base + BigInt(from + more)},${value}`);
const lookup = fc
  .array(row, { maxLength: 20 })
  .map((rows) => build(['from,to,v', ...rows, ''].join('\n'), { inputFormat: 'ipv6-int' }).bytes);

/** The same lookup with its nodes in the order of other writers: each before those on its left, then those on its right. */
function leftFirst(bytes: Uint8Array): Buffer {
  const { tree } = new ParsedLookup(bytes);
  const places = new Map<number, number>();
  const visit = (node: number): void => {
    if (node >= tree.nodeCount || places.has(node)) return;
    places.set(node, places.size);
    visit(tree.record(node, 0));
    visit(tree.record(node, 1));
  };
  visit(0);
  const file = Buffer.from(bytes);
  for (const [node, place] of places)
    for (const bit of [0, 1] as const) {
      const reference = tree.record(node, bit);
      file.writeUIntBE(places.get(reference) ?? reference, place * 6 + bit * 3, 3);
    }
  return file;
}

test('the order of a layer’s nodes does not change the merged lookup', () => {
  const layers = fc.array(fc.tuple(lookup, fc.constantFrom(...MERGE_RULES), fc.boolean()), {
    minLength: 1,
    maxLength: 3,
  });
  const merge = (parts: readonly Parameters<typeof mergeLookups>[0][number][]) =>
    joinChunks(mergeLookups(parts, { lookupName: 'all', description: 'all', buildEpoch: 1 }));
  fc.assert(
    fc.property(layers, (drawn) => {
      const ours = merge(drawn.map(([bytes, rule]) => ({ lookup: new ParsedLookup(bytes), merge: rule })));
      const mixed = drawn.map(([bytes, rule, isOurs]) => ({
        lookup: new ParsedLookup(isOurs ? bytes : leftFirst(bytes)),
        merge: rule,
      }));
      expect(merge(mixed).equals(ours)).toBe(true);
    }),
    { numRuns: runs(150) },
  );
});

test('what only one layer has is not stored, and can be read anywhere', () => {
  const rows = Array.from({ length: 200 }, (_, index) => `10.0.${index}.7,10.0.${index}.9,${index}`);
  const base = build(['from,to,v', ...rows, ''].join('\n'), { inputFormat: 'auto' }).bytes;
  const merged = (bytes: Uint8Array) => {
    const lookups = [new ParsedLookup(bytes)];
    const references = { joinOne: (_: number, reference: number) => reference | 0x8000_0000 };
    const tree = new MergedTree(lookups, references);
    mergeTrees(tree, lookups, { ...references, join: () => 0 });
    return tree;
  };
  const [taken, built] = [merged(base), merged(leftFirst(base))];
  expect(taken.count).toBe(built.count);
  expect([taken.stored < 200, built.stored]).toEqual([true, built.count]);
  const children = (tree: MergedTree) =>
    Array.from({ length: 2 * tree.count }, (_, index) => tree.child(index >> 1, (index & 1) as 0 | 1));
  expect(children(taken)).toEqual(children(built));
});
