import type { LookupLayout } from './metadata.js';
import { ParsedLookup } from './parsed-lookup.js';
import type { SearchTree } from './search-tree.js';

/** Each has 24,000 values. */
const RECORDS = 400;

test('only as many records are kept as have 8 million values together', () => {
  // 28 zeros; 28 times those; 28 times these; then records `{a: ...}` of all of them.
  const zeros = `1c04${'a0'.repeat(28)}`;
  const rows = `1c04${'2000'.repeat(28)}`;
  const tables = `1c04${`20${(zeros.length / 2).toString(16)}`.repeat(28)}`;
  const start = (zeros + rows + tables).length / 2;
  const record = `e1416120${((zeros + rows).length / 2).toString(16)}`;
  const data = Buffer.from(zeros + rows + tables + record.repeat(RECORDS), 'hex');
  const layout = { dataStart: 0, dataEnd: data.length } as LookupLayout;
  const lookup = new ParsedLookup(data, layout, {} as SearchTree);
  const recordAt = (index: number) => lookup.recordAt(start + 5 * index);
  const first = recordAt(0);
  expect(first['a']).toEqual(Array(28).fill(Array(28).fill(Array(28).fill(0))));
  for (let index = 1; index < RECORDS; index++) recordAt(index);
  expect(recordAt(RECORDS - 1)).toBe(recordAt(RECORDS - 1));
  expect(recordAt(0)).not.toBe(first);
});
