import { compareTyped } from './typed-name.js';

test.each([
  ['Shop', 'Shop', 'same'],
  ['  Shop ', 'Shop', 'same'],
  ['My shop', 'My  \u00a0shop', 'same'],
  ['Cafe\u0301', 'Caf\u00e9', 'same'],
  ['Shop', 'Sh\u200bop\u202e', 'same'],
  ['', 'Shop', 'begun'],
  ['Sho', 'Shop', 'begun'],
  ['shop', 'Shop', 'other'],
  ['Shops', 'Shop', 'other'],
])('%j typed for %j is %s', (typed, name, verdict) => {
  expect(compareTyped(typed, name)).toBe(verdict);
});
