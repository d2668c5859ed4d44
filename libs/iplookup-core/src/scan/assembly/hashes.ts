/**
 * Hashes of texts. Each vector's words are added to keys and multiplied in pairs (NH, as in UMAC, RFC 4418): without knowing
 * the keys, texts that collide cannot be chosen.
 */

/** Two vectors of random numbers, so that no input can be made to collide. */
const KEYS = memory.data(32);

/** A vector of ones, then of zeros: an unaligned load masks the bytes behind a text's end. */
const MASKS = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0,
]);

/** The hash of the text that {@link hashLine} or {@link hashBytes} passed. */
export let hash: u32 = 0;

export function setUpHashes(a: u64, b: u64, c: u64, d: u64): void {
  store<u64>(KEYS, a);
  store<u64>(KEYS, b, 8);
  store<u64>(KEYS, c, 16);
  store<u64>(KEYS, d, 24);
}

/** The first bytes of a vector, fewer than 16; zeros follow them. */
function firstBytes(bytes: v128, count: u32): v128 {
  return v128.and(bytes, v128.load(MASKS + 16 - count));
}

function added(sum: v128, bytes: v128, key: v128): v128 {
  const words = i32x4.add(bytes, key);
  const others = i8x16.shuffle(words, words, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
  return i64x2.add(sum, i64x2.extmul_low_i32x4_u(words, others));
}

/** Hashes a text up to the line feed after it. @returns where the line feed is */
export function hashLine(start: usize): usize {
  const lineFeeds = i8x16.splat(10);
  const step = v128.load(KEYS, 16);
  let key = v128.load(KEYS);
  let sum = i64x2.splat(0);
  let p = start;
  while (true) {
    const bytes = v128.load(p);
    const found = i8x16.bitmask(i8x16.eq(bytes, lineFeeds));
    if (found) {
      sum = added(sum, firstBytes(bytes, ctz(found)), key);
      const end = p + ctz(found);
      hash = mixed(i64x2.extract_lane(sum, 0), i64x2.extract_lane(sum, 1), <u32>(end - start));
      return end;
    }
    sum = added(sum, bytes, key);
    key = i32x4.add(key, step);
    p += 16;
  }
}

export function hashBytes(start: usize, length: u32): void {
  const step = v128.load(KEYS, 16);
  let key = v128.load(KEYS);
  let sum = i64x2.splat(0);
  let done: u32 = 0;
  for (; done + 16 <= length; done += 16) {
    sum = added(sum, v128.load(start + done), key);
    key = i32x4.add(key, step);
  }
  sum = added(sum, firstBytes(v128.load(start + done), length - done), key);
  hash = mixed(i64x2.extract_lane(sum, 0), i64x2.extract_lane(sum, 1), length);
}

function mixed(even: u64, odd: u64, length: u32): u32 {
  let bits = (even ^ rotl(odd, 23)) + ((<u64>length) << 32);
  bits = (bits ^ (bits >> 32)) * 0x9e37_79b9_7f4a_7c15;
  return <u32>(bits >> 32);
}

export function equal(a: usize, b: usize, length: u32): bool {
  if (length < 16) return !v128.any_true(firstBytes(v128.xor(v128.load(a), v128.load(b)), length));
  const last = length - 16;
  for (let i: u32 = 0; i < last; i += 16)
    if (v128.any_true(v128.xor(v128.load(a + i), v128.load(b + i)))) return false;
  return !v128.any_true(v128.xor(v128.load(a + last), v128.load(b + last)));
}
