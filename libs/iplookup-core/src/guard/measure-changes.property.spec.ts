import fc from 'fast-check';
import { build } from '../../test/build-in-memory.js';
import { runs } from '../../test/property-runs.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { measureChanges } from './measure-changes.js';

/** The addresses of both families in which all rows lie. */
const ADDRESSES = {
  4: Array.from({ length: 256 }, (_, index) => `10.0.0.${index}`),
  6: Array.from({ length: 256 }, (_, index) => `2001:db8::${index.toString(16)}`),
} as const;

const COLUMNS = ['country', 'asn'] as const;

const VALUES = fc.constantFrom('', 'US', 'DE', 'FR');
const ROW = fc.tuple(fc.constantFrom(4 as const, 6 as const), fc.nat(255), fc.nat(255), VALUES, VALUES);
const ROWS = fc.array(ROW, { maxLength: 8 }).map((rows) => {
  const lines = rows.map(([family, a, b, country, asn]) => {
    const [first, last] = [Math.min(a, b), Math.max(a, b)].map((index) => ADDRESSES[family][index]!);
    return `${first},${last},${country},${asn}`;
  });
  return ['ip_from,ip_to,country,asn', ...lines].join('\n');
});

const make = (csv: string) => build(csv, { inputFormat: 'auto' }).bytes;

/** The same counts by looking up every single address. */
function naive(before: Uint8Array | undefined, after: Uint8Array, family: 4 | 6) {
  const [former, latter] = [before && openLookup(before), openLookup(after)];
  const counts = { before: 0, lost: 0, had: [0, 0], changed: [0, 0], records: new Map<string, number>() };
  for (const address of ADDRESSES[family]) {
    const [was, is] = [former?.find(address), latter.find(address)];
    const text = JSON.stringify(is);
    if (is !== undefined) counts.records.set(text, (counts.records.get(text) ?? 0) + 1);
    if (was === undefined) continue;
    counts.before++;
    if (is === undefined) counts.lost++;
    for (const [index, column] of COLUMNS.entries()) {
      if (was[column] === undefined) continue;
      counts.had[index]!++;
      if (was[column] !== is?.[column]) counts.changed[index]!++;
    }
  }
  return counts;
}

test('lost and changed addresses, and those with the most frequent record, agree with a count one by one', () => {
  fc.assert(
    fc.property(fc.option(ROWS, { nil: undefined }), ROWS, (beforeCsv, afterCsv) => {
      const [before, after] = [beforeCsv === undefined ? undefined : make(beforeCsv), make(afterCsv)];
      const found = measureChanges(before && new ParsedLookup(before), new ParsedLookup(after), {
        columns: COLUMNS,
        largest: true,
      });
      for (const { family, lost, changed, largest } of found.families) {
        const only = measureChanges(before && new ParsedLookup(before), new ParsedLookup(after), {
          columns: [],
          largest: false,
        });
        expect(only.families.map((each) => each.lost)).toEqual(found.families.map((each) => each.lost));
        const expected = naive(before, after, family);
        const records = [...expected.records.values()];
        expect([lost.of, lost.addresses]).toEqual([expected.before, expected.lost]);
        expect(changed.map((column) => column.of)).toEqual(expected.had);
        expect(changed.map((column) => column.addresses)).toEqual(expected.changed);
        expect([largest.of, largest.addresses]).toEqual([
          records.reduce((sum, count) => sum + count, 0),
          Math.max(0, ...records),
        ]);
      }
    }),
    { numRuns: runs(300) },
  );
});
