/**
 * Arithmetic on addresses as 32-bit words, most significant first; `count` is 1 for IPv4 and 4 for IPv6. Numbers are
 * too narrow for IPv6, and bigints thirty times too slow for the builder's loops.
 */

/** Negative, zero or positive, as the address at `aAt` is below, equal to or above the one at `bAt`. */
export function compareWords(
  a: Uint32Array,
  aAt: number,
  b: Uint32Array,
  bAt: number,
  count: number,
): number {
  for (let i = 0; i < count; i++) {
    const difference = a[aAt + i]! - b[bAt + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Copies one address. */
export function copyWords(
  from: Uint32Array,
  fromAt: number,
  to: Uint32Array,
  toAt: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) to[toAt + i] = from[fromAt + i]!;
}

/** Writes the address after the one at `at`. @returns false if it was the last */
export function nextAddress(
  words: Uint32Array,
  at: number,
  out: Uint32Array,
  outAt: number,
  count: number,
): boolean {
  let carry = true;
  for (let i = count - 1; i >= 0; i--) {
    const word = words[at + i]!;
    out[outAt + i] = carry ? word + 1 : word;
    carry = carry && word === 0xffff_ffff;
  }
  return !carry;
}

/** Writes the address before the one at `at`, which must not be the first. */
export function previousAddress(
  words: Uint32Array,
  at: number,
  out: Uint32Array,
  outAt: number,
  count: number,
): void {
  let borrow = true;
  for (let i = count - 1; i >= 0; i--) {
    const word = words[at + i]!;
    out[outAt + i] = borrow ? word - 1 : word;
    borrow = borrow && word === 0;
  }
}

/** Number of trailing zero bits; the width of the address if it is zero. */
export function trailingZeros(words: Uint32Array, at: number, count: number): number {
  for (let i = count - 1; i >= 0; i--) {
    const word = words[at + i]!;
    if (word !== 0) return 32 * (count - 1 - i) + 31 - Math.clz32(word & -word);
  }
  return 32 * count;
}

/** Index (0 is the lowest bit) of the highest bit in which two addresses differ; -1 if equal. */
export function highestDifference(
  a: Uint32Array,
  aAt: number,
  b: Uint32Array,
  bAt: number,
  count: number,
): number {
  for (let i = 0; i < count; i++) {
    const difference = a[aAt + i]! ^ b[bAt + i]!;
    if (difference !== 0) return 32 * (count - i) - 1 - Math.clz32(difference);
  }
  return -1;
}

/** An IPv6 address of four words as a number. */
export function toBigInt(words: Uint32Array, at: number): bigint {
  let value = 0n;
  for (let word = 0; word < 4; word++) value = (value << 32n) | BigInt(words[at + word]!);
  return value;
}
