import fc from 'fast-check';
import {
  compareWords,
  copyWords,
  highestDifference,
  nextAddress,
  previousAddress,
  trailingZeros,
} from './address-words.js';

const MAX = (1n << 128n) - 1n;

/** Where addresses lie in the array of the tests: not at its start. */
const [A, B] = [2, 7];

const wordsOf = (value: bigint): number[] =>
  [96n, 64n, 32n, 0n].map((shift) => Number((value >> shift) & 0xffff_ffffn));
const valueAt = (words: Uint32Array, at: number): bigint =>
  [...words.subarray(at, at + 4)].reduce((value, word) => (value << 32n) | BigInt(word), 0n);

function place(a: bigint, b: bigint): Uint32Array {
  const words = new Uint32Array(12).fill(0xdead_beef);
  words.set(wordsOf(a), A);
  words.set(wordsOf(b), B);
  return words;
}

/** Includes addresses with many trailing zeros or ones, where carries propagate. */
const address = fc
  .tuple(fc.bigInt({ min: 0n, max: MAX }), fc.nat(128), fc.boolean())
  .map(([value, bits, ones]) => {
    const low = (1n << BigInt(bits)) - 1n;
    return ones ? value | low : value & (MAX ^ low);
  });

const assert = (check: (a: bigint, b: bigint) => void): void =>
  fc.assert(fc.property(address, fc.oneof(address, fc.constant(0n), fc.constant(MAX)), check), {
    examples: [
      [0n, 0n],
      [MAX, MAX],
      [1n << 127n, 0n],
    ],
  });

test('addresses are compared as numbers', () => {
  assert((a, b) => {
    const words = place(a, b);
    expect(Math.sign(compareWords(words, A, words, B, 4))).toBe(a < b ? -1 : a > b ? 1 : 0);
    expect(compareWords(words, A, words, A, 4)).toBe(0);
  });
});

test('a copy changes nothing around it', () => {
  assert((a, b) => {
    const words = place(a, b);
    copyWords(words, A, words, B, 4);
    expect(words).toEqual(place(a, a));
  });
});

test('the next and the previous address differ by one', () => {
  assert((a, b) => {
    const words = place(a, b);
    expect(nextAddress(words, A, words, B, 4)).toBe(a < MAX);
    expect(words).toEqual(place(a, (a + 1n) & MAX));
    if (a === 0n) return;
    previousAddress(words, A, words, B, 4);
    expect(words).toEqual(place(a, a - 1n));
  });
});

test('zeros at the low end, and the highest bit that differs', () => {
  assert((a, b) => {
    const words = place(a, b);
    const binary = a.toString(2).padStart(128, '0');
    expect(trailingZeros(words, A, 4)).toBe(127 - binary.lastIndexOf('1'));
    expect(highestDifference(words, A, words, B, 4)).toBe(a === b ? -1 : (a ^ b).toString(2).length - 1);
    expect(valueAt(words, A)).toBe(a);
  });
});
