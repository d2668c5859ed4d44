import fc from 'fast-check';
import { Reader } from 'mmdb-lib';
import { build } from '../../test/build-in-memory.js';
import { joinChunks } from '../../test/join-chunks.js';
import { parseJoinTable } from '../build/join-table.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { type MergeRule, mergeLookups } from './merge-lookups.js';

/** Offsets within these blocks are the addresses that are asked. */
const SPAN = 24;
const BLOCKS = ['10.0.0.', '2001:db8::'] as const;

type Cells = Readonly<Record<string, string>>;

interface Row {
  readonly block: 0 | 1;
  readonly first: number;
  readonly last: number;
  readonly key: string;
  readonly own: string;
}

interface Layer {
  readonly rows: readonly Row[];
  readonly places: readonly (readonly [key: string, name: string])[];
  readonly overlap: 'later' | 'specific';
  readonly merge: MergeRule;
  /** The column of the layer's own values: layers share some. */
  readonly column: 'own' | 'other';
}

const address = (block: 0 | 1, offset: number): string =>
  BLOCKS[block] + (block === 0 ? String(offset) : offset.toString(16));

const row = fc
  .record({
    block: fc.constantFrom(0 as const, 1 as const),
    ends: fc.tuple(fc.nat(SPAN - 1), fc.nat(SPAN - 1)),
    key: fc.constantFrom('', '1', '2', '3'),
    own: fc.constantFrom('', 'a', 'b'),
  })
  .map(({ ends, ...rest }): Row => ({ ...rest, first: Math.min(...ends), last: Math.max(...ends) }));

const layer = fc.record<Layer>({
  rows: fc.array(row, { maxLength: 6 }),
  places: fc.uniqueArray(fc.tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom('', 'x', 'y')), {
    selector: ([key]) => key,
  }),
  overlap: fc.constantFrom('later', 'specific'),
  merge: fc.constantFrom<MergeRule>('override', 'fill', 'replace'),
  column: fc.constantFrom('own', 'other'),
});

function toLookup({ rows, places, overlap, column }: Layer): Uint8Array {
  const lines = rows.map(
    ({ block, first, last, key, own }) => `${address(block, first)},${address(block, last)},${key},${own}`,
  );
  const joined = ['id,name', ...places.map((cells) => cells.join(','))].join('\n');
  const join = parseJoinTable(Buffer.from(`${joined}\n`), 'places.csv', {
    column: 'id',
    rowColumn: 'key',
    prefix: '',
  });
  return build(['from,to,key,' + column, ...lines, ''].join('\n'), {
    inputFormat: 'auto',
    dropColumns: ['key'],
    joins: [join],
    overlap,
  }).bytes;
}

/** The record of one address by the words of the documentation. */
function expected(layers: readonly Layer[], block: 0 | 1, offset: number): Cells | null {
  let record = null as Cells | null;
  for (const { rows, places, overlap, merge, column } of layers) {
    const covering = rows.filter(
      (each) => each.block === block && each.first <= offset && offset <= each.last,
    );
    const smallest = Math.min(...covering.map(({ first, last }) => last - first));
    const winner = covering
      .filter(({ first, last }) => overlap === 'later' || last - first === smallest)
      .at(-1);
    if (winner === undefined) continue;
    const name = places.find(([key]) => key === winner.key)?.[1] ?? '';
    const cells = Object.fromEntries(
      [
        [column, winner.own],
        ['name', name],
      ].filter(([, value]) => value !== ''),
    );
    if (record === null || merge === 'replace') record = cells;
    else record = merge === 'override' ? { ...record, ...cells } : { ...cells, ...record };
  }
  return record;
}

test('joins, precedence and layers together: every address has the record that the rules give it, as another reader finds it', () => {
  fc.assert(
    fc.property(fc.array(layer, { minLength: 1, maxLength: 4 }), (layers) => {
      const options = { lookupName: 'all', description: 'all', buildEpoch: 1 };
      const parts = layers.map((each) => ({ lookup: new ParsedLookup(toLookup(each)), merge: each.merge }));
      const reader = new Reader<Record<string, never>>(joinChunks(mergeLookups(parts, options)));
      const asked = ([0, 1] as const).flatMap((block) =>
        Array.from({ length: SPAN + 1 }, (_, offset) => [block, offset] as const),
      );
      const found = asked.map(([block, offset]) => reader.get(address(block, offset)));
      expect(found).toEqual(asked.map(([block, offset]) => expected(layers, block, offset)));
    }),
    { numRuns: 80 },
  );
});
