const ZEROS: u64 = 0x3030_3030_3030_3030;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
/** Added to a byte of seven bits, sets its high bit if it is more than 9. */
const ABOVE_NINE: u64 = 0x7676_7676_7676_7676;

/** Digits that are read together. */
const GROUP: u32 = 8;

/** Powers of ten, by number of digits. */
const powers = memory.data<u32>([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]);

/** The number of digits that {@link readGroup} read, and ten to its power. */
let digits: u32 = 0;
let factor: u64 = 0;

/** Reads up to eight digits. @returns their value */
function readGroup(at: usize): u64 {
  const bytes = load<u64>(at) ^ ZEROS;
  const others = (((bytes & ~HIGH_BITS) + ABOVE_NINE) | bytes) & HIGH_BITS;
  digits = others == 0 ? GROUP : (<u32>ctz(others)) >>> 3;
  factor = <u64>load<u32>(powers + ((<usize>digits) << 2));
  // Fewer digits have zeros before them.
  return digits == 0 ? 0 : valueOf(bytes << ((GROUP - digits) << 3));
}

/** The value of eight digits, one in each byte, from the lowest on: of pairs, of fours, and of all. */
function valueOf(bytes: u64): u64 {
  const pairs = (bytes * 10 + (bytes >> 8)) & 0x00ff_00ff_00ff_00ff;
  const fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
  return (fours * 10_000 + (fours >> 32)) & 0xffff_ffff;
}

/** The number that {@link decimal32} read. */
export let word: u32 = 0;

/** Reads an unsigned decimal of 32 bits. @returns where it ends, or 0 if there is none or it is too large */
export function decimal32(start: usize): usize {
  let value: u64 = 0;
  let p = start;
  do {
    const group = readGroup(p);
    value = value * factor + group;
    if (value >> 32) return 0;
    p += digits;
  } while (digits == GROUP);
  word = <u32>value;
  return p == start ? 0 : p;
}

/** Reads an unsigned decimal of 128 bits into four words. @returns as {@link decimal32} does */
export function decimal128(start: usize, out: usize): usize {
  let value = readGroup(start);
  if (digits == 0) return 0;
  let p = start + digits;
  if (digits == GROUP) {
    const group = readGroup(p);
    value = value * factor + group;
    p += digits;
  }
  let w0: u64 = 0;
  let w1: u64 = 0;
  let w2: u64 = value >> 32;
  let w3: u64 = value & 0xffff_ffff;
  while (digits == GROUP) {
    const group = readGroup(p);
    w3 = w3 * factor + group;
    w2 = w2 * factor + (w3 >> 32);
    w1 = w1 * factor + (w2 >> 32);
    w0 = w0 * factor + (w1 >> 32);
    if (w0 >> 32) return 0;
    w3 &= 0xffff_ffff;
    w2 &= 0xffff_ffff;
    w1 &= 0xffff_ffff;
    p += digits;
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
