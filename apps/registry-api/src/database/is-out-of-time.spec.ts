import { isOutOfTime } from './is-out-of-time.js';

test.each([
  ['57014', true],
  ['57P01', false],
  ['40P01', false],
  [undefined, false],
])('an error with the SQLSTATE %s: %s', (code, expected) => {
  expect(isOutOfTime(Object.assign(new Error('it failed'), { code }))).toBe(expected);
});

test.each([undefined, null, '57014'])('%j is no error', (error) => {
  expect(isOutOfTime(error)).toBe(false);
});
