import fc from 'fast-check';

/** One in `ratio` is `one`, the others are `usual`. */
export function rarely(one, usual, ratio) {
  return fc.oneof({ weight: 1, arbitrary: one }, { weight: ratio - 1, arbitrary: usual });
}
