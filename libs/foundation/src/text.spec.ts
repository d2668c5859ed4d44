import { sentence } from './text.js';

test.each([
  ['the body is empty', 'The body is empty.'],
  ['a', 'A.'],
  ['', '.'],
])('%j as a sentence', (message, expected) => {
  expect(sentence(message)).toBe(expected);
});
