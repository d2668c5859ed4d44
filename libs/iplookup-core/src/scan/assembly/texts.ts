import { Texts } from './layout';

/**
 * The texts of rows' values, each with its payload. A hash table with open addressing; a slot holds a text's hash and
 * place. At its place are its length, its payload and its bytes.
 */

/** Two vectors of random numbers, so that no input can be made to collide. */
const KEYS = memory.data(32);

/** A vector of ones, then of zeros: an unaligned load masks the bytes behind a text's end. */
const MASKS = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0,
]);

const FIRST_SLOTS: u32 = 1 << 14;
const SLOT_BYTES: usize = 8;
const HEAD_BYTES: u32 = 8;

let slots: usize = 0;
let mask: u32 = 0;
let size: u32 = 0;
let used: usize = 0;

/** The hash of the text that {@link hashLine} passed. */
export let hash: u32 = 0;

export function setUpTexts(a: u64, b: u64, c: u64, d: u64): void {
  store<u64>(KEYS, a);
  store<u64>(KEYS, b, 8);
  store<u64>(KEYS, c, 16);
  store<u64>(KEYS, d, 24);
  slots = Texts.slotsAt;
  mask = FIRST_SLOTS - 1;
  used = Texts.textsAt;
}

/**
 * Hashes a text up to the line feed after it. Each vector's words are added to keys and multiplied in pairs (NH, as in
 * UMAC, RFC 4418): without the keys, no two texts are known to collide.
 *
 * @returns where the line feed is
 */
export function hashLine(start: usize): usize {
  const lineFeeds = i8x16.splat(10);
  const step = v128.load(KEYS, 16);
  let key = v128.load(KEYS);
  let sum = i64x2.splat(0);
  let p = start;
  while (true) {
    let bytes = v128.load(p);
    const found = i8x16.bitmask(i8x16.eq(bytes, lineFeeds));
    if (found) bytes = v128.and(bytes, v128.load(MASKS + 16 - ctz(found)));
    const words = i32x4.add(bytes, key);
    const others = i8x16.shuffle(words, words, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
    sum = i64x2.add(sum, i64x2.extmul_low_i32x4_u(words, others));
    if (found) {
      const end = p + ctz(found);
      hash = mixed(i64x2.extract_lane(sum, 0), i64x2.extract_lane(sum, 1), <u32>(end - start));
      return end;
    }
    key = i32x4.add(key, step);
    p += 16;
  }
}

function mixed(even: u64, odd: u64, length: u32): u32 {
  let bits = (even ^ rotl(odd, 23)) + ((<u64>length) << 32);
  bits = (bits ^ (bits >> 32)) * 0x9e37_79b9_7f4a_7c15;
  return <u32>(bits >> 32);
}

/** Where the text with this hash may be, to be read in advance; 0 if it is new. */
export function placeOf(hash: u32): usize {
  return load<u32>(slots + <usize>(hash & mask) * SLOT_BYTES, 4);
}

/** @returns the place of a text with this hash, or 0 if it is new */
export function find(hash: u32, text: usize, length: u32): usize {
  let slot = hash & mask;
  while (true) {
    const at = slots + <usize>slot * SLOT_BYTES;
    const place = <usize>load<u32>(at, 4);
    if (place == 0) return 0;
    if (load<u32>(at) == hash && load<u32>(place) == length && equal(place + HEAD_BYTES, text, length))
      return place;
    slot = (slot + 1) & mask;
  }
}

export function payloadAt(place: usize): u32 {
  return load<u32>(place, 4);
}

function equal(a: usize, b: usize, length: u32): bool {
  if (length < 16) {
    const difference = v128.xor(v128.load(a), v128.load(b));
    return !v128.any_true(v128.and(difference, v128.load(MASKS + 16 - length)));
  }
  const last = length - 16;
  for (let i: u32 = 0; i < last; i += 16)
    if (v128.any_true(v128.xor(v128.load(a + i), v128.load(b + i)))) return false;
  return !v128.any_true(v128.xor(v128.load(a + last), v128.load(b + last)));
}

/** Keeps the payload of the text from `start` to the line feed after it, unless it is known or there is no room. */
export function keepText(start: usize, payload: u32): void {
  const length = <u32>(hashLine(start) - start);
  if (used + HEAD_BYTES + length + 32 > Texts.end || size == Texts.maxTexts) return;
  if (find(hash, start, length) != 0) return;
  store<u32>(used, length);
  store<u32>(used, payload, 4);
  memory.copy(used + HEAD_BYTES, start, length);
  if (++size * 2 > mask) grow();
  put(hash, <u32>used);
  used = (used + HEAD_BYTES + length + 3) & ~3;
}

function put(hash: u32, place: u32): void {
  let slot = hash & mask;
  while (load<u32>(slots + <usize>slot * SLOT_BYTES, 4) != 0) slot = (slot + 1) & mask;
  store<u32>(slots + <usize>slot * SLOT_BYTES, hash);
  store<u32>(slots + <usize>slot * SLOT_BYTES, place, 4);
}

/** The larger table follows the former one. */
function grow(): void {
  const former = slots;
  const end = slots + <usize>(mask + 1) * SLOT_BYTES;
  slots = end;
  mask = mask * 4 + 3;
  for (let at = former; at < end; at += SLOT_BYTES)
    if (load<u32>(at, 4) != 0) put(load<u32>(at), load<u32>(at, 4));
}
