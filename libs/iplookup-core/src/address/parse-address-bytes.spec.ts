import fc from 'fast-check';
import { MALFORMED, OUT_OF_RANGE, parseIpv4Integer, parseIpv6Integer } from './parse-address-bytes.js';

const out = new Uint32Array(5);
const bytes = (text: string) => new TextEncoder().encode(`${text},`);
const valueAt = (at: number, words: number) =>
  [...out.subarray(at, at + words)].reduce((value, word) => (value << 32n) | BigInt(word), 0n);

test('every 32-bit number is read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (value) => {
      const text = String(value);
      expect(parseIpv4Integer(bytes(text), 0, out, 0)).toBe(text.length);
      expect(out[0]).toBe(value);
    }),
  );
});

test('every 128-bit number is read', () => {
  const sizes = fc.nat(128).chain((bits) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }));
  fc.assert(
    fc.property(sizes, (value) => {
      const text = String(value);
      expect(parseIpv6Integer(bytes(text), 0, out, 1)).toBe(text.length);
      expect(valueAt(1, 4)).toBe(value);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['4294967295', 10],
  ['4294967296', OUT_OF_RANGE],
  ['99999999999999999999', OUT_OF_RANGE],
  ['', MALFORMED],
  ['-1', MALFORMED],
  ['1.0', 1],
])('%p as a 32-bit number gives %p', (text, expected) => {
  expect(parseIpv4Integer(bytes(text), 0, out, 0)).toBe(expected);
});

test.each([
  [String((1n << 128n) - 1n), 39],
  [String(1n << 128n), OUT_OF_RANGE],
  ['9'.repeat(60), OUT_OF_RANGE],
  ['0'.repeat(50), 50],
  ['x', MALFORMED],
])('%p as a 128-bit number gives %p', (text, expected) => {
  expect(parseIpv6Integer(bytes(text), 0, out, 0)).toBe(expected);
});
