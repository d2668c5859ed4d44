import { counted } from './text.js';

test('one is singular, zero is not', () => {
  expect([0, 1, 2].map((count) => counted(count, 'file'))).toEqual(['0 files', '1 file', '2 files']);
});
