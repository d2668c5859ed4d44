import fc from 'fast-check';
import { PairTable } from './pair-table.js';

test('each pair has the number that was set last', () => {
  const number = fc.oneof(fc.nat(20), fc.nat(2 ** 31 - 2));
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number, number), { maxLength: 300 }), (rows) => {
      const table = new PairTable();
      for (const [first, second, value] of rows) table.set(first, second, value);
      const last = new Map(rows.map(([first, second, value]) => [`${first} ${second}`, value]));
      const asked = rows.flatMap(([first, second]) => [[first, second] as const, [second, first] as const]);
      expect(asked.map(([first, second]) => table.get(first, second))).toEqual(
        asked.map(([first, second]) => last.get(`${first} ${second}`)),
      );
    }),
  );
});

test('it grows', () => {
  const table = new PairTable();
  for (let first = 0; first < 300; first++)
    for (let second = 0; second < 300; second++) table.set(first, second, first * 300 + second);
  for (let first = 0; first < 300; first += 7) {
    const seconds = Array.from({ length: 300 }, (_, second) => second);
    expect(seconds.map((second) => table.get(first, second))).toEqual(
      seconds.map((second) => first * 300 + second),
    );
  }
  expect(table.get(300, 0)).toBeUndefined();
});
