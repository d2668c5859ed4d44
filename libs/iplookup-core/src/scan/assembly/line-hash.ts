/**
 * Finds the end of a line and hashes what precedes it, in one pass over the bytes.
 *
 * The hash is NH of UMAC (RFC 4418): each 16 bytes are added to a secret key of their own, then multiplied in pairs.
 * Whatever texts an input holds, two of them collide with a probability of 2^-32, unless their author knows the keys.
 */

/** Bytes per step: one vector. */
const STEP: usize = 16;

/** The hash found last. */
export let hash: u32 = 0;

let keys: usize = 0;
let keysEnd: usize = 0;
/** Keys of the text's length, and of the last step; the latter is odd. */
let lengthKey: u64 = 0;
let foldKey: u64 = 0;
/** 16 bytes of ones, then 16 of zeros. */
let masks: usize = 0;

/**
 * Sets the keys.
 *
 * @param start of random bytes: one key per step, then 16 bytes for the last steps
 * @param end of these
 * @param maskBytes 32 bytes of memory that stay unchanged from now on
 */
export function setKeys(start: usize, end: usize, maskBytes: usize): void {
  keys = start;
  keysEnd = end - STEP;
  lengthKey = load<u64>(keysEnd);
  foldKey = load<u64>(keysEnd + 8) | 1;
  masks = maskBytes;
  memory.fill(masks, 0xff, STEP);
  memory.fill(masks + STEP, 0, STEP);
}

/** @returns where the line's LF is, with the {@link hash} of what precedes it; 0 if there are more bytes than keys */
export function hashLine(start: usize): usize {
  const lineFeeds = i8x16.splat(10);
  let sum = i64x2.splat(0);
  let p = start;
  for (let key = keys; key < keysEnd; key += STEP, p += STEP) {
    const bytes = v128.load(p);
    const found = i8x16.bitmask(i8x16.eq(bytes, lineFeeds));
    if (found == 0) {
      sum = i64x2.add(sum, productOf(bytes, key));
      continue;
    }
    const rest: usize = ctz(found);
    sum = i64x2.add(sum, productOf(v128.and(bytes, firstBytes(rest)), key));
    const end = p + rest;
    const whole = i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1) + <u64>(end - start) * lengthKey;
    hash = <u32>((whole * foldKey) >> 32);
    return end;
  }
  return 0;
}

/** Adds the key to the words of the vector, and multiplies the first with the third and the second with the fourth. */
function productOf(bytes: v128, key: usize): v128 {
  const words = i32x4.add(bytes, v128.load(key));
  const upper = i8x16.shuffle(words, words, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
  return i64x2.extmul_low_i32x4_u(words, upper);
}

/** True if the bytes at the two places are the same. */
export function areEqual(a: usize, b: usize, length: u32): bool {
  let left: usize = length;
  for (; left >= STEP; left -= STEP, a += STEP, b += STEP) {
    if (v128.any_true(v128.xor(v128.load(a), v128.load(b)))) return false;
  }
  return !v128.any_true(v128.and(v128.xor(v128.load(a), v128.load(b)), firstBytes(left)));
}

/** Ones in the first `count` bytes of a vector. */
function firstBytes(count: usize): v128 {
  return v128.load(masks + STEP - count);
}
