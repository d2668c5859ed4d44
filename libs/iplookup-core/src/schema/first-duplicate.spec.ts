import { firstDuplicate } from './first-duplicate.js';

test.each([
  [[], undefined],
  [['a', 'b', 'A', ''], undefined],
  [['a', 'b', 'c', 'b', 'a'], 'b'],
  [['', 'a', ''], ''],
])('the first duplicate of %j is %j', (names, expected) => {
  expect(firstDuplicate(names)).toBe(expected);
});

test('a row of 1 MiB may have so many names that they cannot all be compared with each other', () => {
  const names = Array.from({ length: 400_000 }, (_, index) => index.toString(36));
  expect(firstDuplicate([...names, 'abc'])).toBe('abc');
});
