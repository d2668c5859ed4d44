import { formatTimeLeft } from './times.js';

test.each([
  [0, '0 sec'],
  [-5, '0 sec'],
  [59_999, '59 sec'],
  [61_000, '1 min 1 sec'],
  [24 * 3_600_000 - 1, '23 hr 59 min'],
  [3 * 86_400_000, '3 days 0 hr'],
])('of %d ms is left: %s', (milliseconds, expected) => {
  expect(formatTimeLeft(milliseconds)).toBe(expected);
});
