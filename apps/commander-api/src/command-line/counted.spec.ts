import { counted } from './counted.js';

test('one is singular, and nothing is not', () => {
  expect([0, 1, 2].map((count) => counted(count, 'file'))).toEqual(['0 files', '1 file', '2 files']);
});
