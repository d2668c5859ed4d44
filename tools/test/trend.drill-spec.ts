import { trendOf } from '../drills/parts/trend.mjs';

/** @param values one every ten seconds */
const tenSecondsApart = (values: readonly number[]) =>
  values.map((value, index) => ({ at: index * 10, value }));

test('steady growth is detected despite fluctuation', () => {
  const sawTooth = (index: number) => (index % 5) * 4;
  const leaking = Array.from({ length: 60 }, (_, index) => 100 + index + sawTooth(index));
  expect(trendOf(tenSecondsApart(leaking)).growth).toBeGreaterThan(35);
  const steady = Array.from({ length: 60 }, (_, index) => 100 + sawTooth(index));
  expect(Math.abs(trendOf(tenSecondsApart(steady)).growth)).toBeLessThan(3);
});

test('warming up in the first third is not growth', () => {
  const warming = Array.from({ length: 60 }, (_, index) => 100 + Math.min(index, 20) * 5);
  expect(trendOf(tenSecondsApart(warming))).toEqual({ mean: 200, growth: 0 });
});
