import fc from 'fast-check';
import { build } from '../../test/build-in-memory.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { FullNodes } from './full-nodes.js';

test('a node is full if every address below it has a record', () => {
  const row = fc
    .tuple(fc.nat(40), fc.nat(20), fc.nat(2))
    .map(([first, more, value]) => `10.0.0.${first},10.0.0.${first + more},${value}`);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const { bytes } = build(['from,to,v', ...rows, ''].join('\n'), { inputFormat: 'auto' });
      const { tree } = new ParsedLookup(bytes);
      const full = new FullNodes(tree);
      const isFull = (reference: number): boolean =>
        reference < tree.nodeCount
          ? isFull(tree.record(reference, 0)) && isFull(tree.record(reference, 1))
          : reference > tree.nodeCount;
      const references = Array.from({ length: tree.nodeCount + 2 }, (_, reference) => reference);
      expect(references.map((reference) => full.has(reference))).toEqual(references.map(isFull));
    }),
  );
});
