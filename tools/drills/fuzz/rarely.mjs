import fc from 'fast-check';

/**
 * Generates `one` with a chance of 1 in `ratio`, otherwise `usual`.
 *
 * @template A, B
 * @param {fc.Arbitrary<A>} one
 * @param {fc.Arbitrary<B>} usual
 * @param {number} ratio
 * @returns {fc.Arbitrary<A | B>}
 */
export function rarely(one, usual, ratio) {
  return fc.oneof({ weight: 1, arbitrary: one }, { weight: ratio - 1, arbitrary: usual });
}
