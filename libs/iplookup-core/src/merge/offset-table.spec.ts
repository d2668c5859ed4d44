import fc from 'fast-check';
import { OffsetTable } from './offset-table.js';

test('each offset has the number that was set last', () => {
  const offset = fc.oneof(fc.nat(50), fc.integer({ min: 2 ** 32 - 50, max: 2 ** 32 - 2 }), fc.nat());
  fc.assert(
    fc.property(fc.array(fc.tuple(offset, fc.integer({ min: 1 })), { maxLength: 200 }), (pairs) => {
      const table = new OffsetTable();
      for (const [each, value] of pairs) table.set(each, value);
      const last = new Map(pairs);
      expect([...last.keys()].map((each) => table.get(each))).toEqual([...last.values()]);
      expect(table.get(2 ** 31 + 7)).toBe(0);
    }),
  );
});

test('it grows', () => {
  const table = new OffsetTable();
  for (let offset = 0; offset < 100_000; offset++) table.set(offset * 24, offset + 1);
  const offsets = Array.from({ length: 14_000 }, (_, index) => index * 7);
  expect(offsets.map((offset) => table.get(offset * 24))).toEqual(offsets.map((offset) => offset + 1));
  expect(new Set(offsets.map((offset) => table.get(offset * 24 + 1)))).toEqual(new Set([0]));
});
