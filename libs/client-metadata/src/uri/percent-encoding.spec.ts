import { decodeFully } from './percent-encoding.js';

test.each([
  ['plain', 'plain'],
  ['%2e', '.'],
  ['%2E%2f', './'],
  ['%252e', '.'],
  ['%25252e', '.'],
  ['%25%32%65', '.'],
  ['%C3%A9', '%C3%A9'],
  ['100%', '100%'],
  ['%zz', '%zz'],
])('%s decodes to %s', (text, decoded) => {
  expect(decodeFully(text)).toBe(decoded);
});

test('the longest chain of encodings that a URI can hold is followed to its end', () => {
  expect(decodeFully(`%${'25'.repeat(1000)}2e`)).toBe('.');
});
