/** The number that {@link decimal32} read. */
export let word: u32 = 0;

/** Reads an unsigned decimal of 32 bits. @returns where it ends, or 0 if there is none or it is too large */
export function decimal32(start: usize): usize {
  let value: u64 = 0;
  let p = start;
  for (let digit: u32; (digit = <u32>load<u8>(p) - 48) <= 9; p++) {
    value = value * 10 + digit;
    if (value >> 32) return 0;
  }
  word = <u32>value;
  return p == start ? 0 : p;
}

/** Digits that fit in 64 bits. */
const HEAD_DIGITS: usize = 18;

/** Reads an unsigned decimal of 128 bits into four words. @returns as {@link decimal32} does */
export function decimal128(start: usize, out: usize): usize {
  let value: u64 = 0;
  let p = start;
  for (let digit: u32; p < start + HEAD_DIGITS && (digit = <u32>load<u8>(p) - 48) <= 9; p++)
    value = value * 10 + digit;
  if (p == start) return 0;
  let w0: u64 = 0;
  let w1: u64 = 0;
  let w2: u64 = value >> 32;
  let w3: u64 = value & 0xffff_ffff;
  while (p - start >= HEAD_DIGITS) {
    let group: u64 = 0;
    let factor: u64 = 1;
    for (let digit: u32; factor < 1_000_000_000 && (digit = <u32>load<u8>(p) - 48) <= 9; p++) {
      group = group * 10 + digit;
      factor *= 10;
    }
    if (factor == 1) break;
    w3 = w3 * factor + group;
    w2 = w2 * factor + (w3 >> 32);
    w1 = w1 * factor + (w2 >> 32);
    w0 = w0 * factor + (w1 >> 32);
    if (w0 >> 32) return 0;
    w3 &= 0xffff_ffff;
    w2 &= 0xffff_ffff;
    w1 &= 0xffff_ffff;
  }
  store<u32>(out, <u32>w0, 0);
  store<u32>(out, <u32>w1, 4);
  store<u32>(out, <u32>w2, 8);
  store<u32>(out, <u32>w3, 12);
  return p;
}

/** The upper or lower half of an address of four words. */
export function high(words: usize): u64 {
  return ((<u64>load<u32>(words)) << 32) | load<u32>(words, 4);
}

export function low(words: usize): u64 {
  return ((<u64>load<u32>(words, 8)) << 32) | load<u32>(words, 12);
}
