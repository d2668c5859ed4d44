import fc from 'fast-check';
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

test('takes time linear in the length, however deep the encoding', () => {
  expect(decodeFully(`%${'25'.repeat(500_000)}2e`)).toBe('.');
});

test('repeated decoding ends there', () => {
  const piece = fc.constantFrom('%', '2', '5', 'e', '%25', '%2e', '25', '3', '%C3', 'z', '😀', '/');
  const once = (text: string) =>
    text.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      let expected = pieces.join('');
      while (once(expected) !== expected) expected = once(expected);
      expect(decodeFully(pieces.join(''))).toBe(expected);
    }),
  );
});
