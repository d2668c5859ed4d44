import fc from 'fast-check';
import { DATA, EMPTY, NodeStore } from './node-store.js';

/** A child of the node with this number: the node before, another one, a value or none. */
const child = fc.oneof(
  fc.constant('before' as const),
  fc.constantFrom(0, 1, 7, DATA, DATA + 5, EMPTY, EMPTY - 1),
);

test('nodes keep both children, wherever a node, its group or its chunk ends', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(child, child), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 300_000 }),
      (pattern, count) => {
        const nodes = new NodeStore();
        const expected = new Uint32Array(2 * count);
        for (let node = 0; node < count; node++) {
          const [left, right] = pattern[node % pattern.length]!.map((kind) =>
            kind === 'before' ? node - 1 : kind,
          );
          expected.set([left!, right!], 2 * node);
          // Before the first node is -1, the signed form of EMPTY, which merges add, too.
          nodes.add(left!, right!);
        }
        for (const first of [0, 31, 131_071, 131_072, 262_143].filter((node) => node < count)) {
          const some = new Uint32Array(2 * Math.min(100, count - first));
          nodes.copy(first, some.length / 2, some);
          expect(some).toEqual(expected.subarray(2 * first, 2 * first + some.length));
          expect([nodes.child(first, 0), nodes.child(first, 1)]).toEqual([...some.subarray(0, 2)]);
        }
      },
    ),
    { numRuns: 6 },
  );
});
