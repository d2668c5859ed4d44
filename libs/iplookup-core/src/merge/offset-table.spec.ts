import fc from 'fast-check';
import { OffsetTable } from './offset-table.js';

test('each offset has the number that was set last', () => {
  const offset = fc.oneof(fc.nat(50), fc.integer({ min: 2 ** 32 - 50, max: 2 ** 32 - 2 }), fc.nat());
  fc.assert(
    fc.property(fc.array(fc.tuple(offset, fc.integer({ min: 1 })), { maxLength: 200 }), (pairs) => {
      const table = new OffsetTable();
      for (const [each, value] of pairs) table.set(each, value);
      for (const [each, value] of new Map(pairs)) expect(table.get(each)).toBe(value);
      expect(table.get(2 ** 31 + 7)).toBe(0);
    }),
  );
});

test('it grows', () => {
  const table = new OffsetTable();
  for (let offset = 0; offset < 100_000; offset++) table.set(offset * 24, offset + 1);
  for (let offset = 0; offset < 100_000; offset += 7) {
    expect(table.get(offset * 24)).toBe(offset + 1);
    expect(table.get(offset * 24 + 1)).toBe(0);
  }
});
