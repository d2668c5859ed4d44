/**
 * Numbers distinct texts from 0 in order of first appearance: a hash table with open addressing. A slot holds a text's
 * hash and the place of its entry, whose number, length and bytes are stored together, since what a look-up costs is cache
 * misses.
 */
import { areEqual } from './line-hash';

/** Bytes of a slot: the entry's place (0 if the slot is free), then the hash. */
const SLOT_BYTES: usize = 8;

/** Bytes of an entry before those of the text: number, then length. */
const HEAD_BYTES: usize = 8;

/** Size of a CPU cache line. */
const LINE_BYTES: usize = 64;

/** No text has this number. */
export const NONE: u32 = 0xffff_ffff;

/** Number of texts. */
let count: u32 = 0;
let slots: usize = 0;
let slotBits: u32 = 0;
let slotsLimit: usize = 0;
let nextEntry: usize = 0;
let entriesLimit: usize = 0;
/** What {@link prefetch} read, stored so that the reads are not optimized away. */
let touched: u32 = 0;

/** Empties the table. Slots and entries may use the memory up to their limits, which must be zero. */
export function setTable(slotsAt: usize, limitOfSlots: usize, entriesAt: usize, limitOfEntries: usize): void {
  count = 0;
  slots = slotsAt;
  slotsLimit = limitOfSlots;
  slotBits = 14;
  nextEntry = entriesAt;
  entriesLimit = limitOfEntries;
}

function slotOf(hash: u32): usize {
  return slots + <usize>(hash >> (32 - slotBits)) * SLOT_BYTES;
}

function slotAfter(slot: usize): usize {
  const next = slot + SLOT_BYTES;
  return next == slots + (SLOT_BYTES << slotBits) ? slots : next;
}

/** The place of the entry that probably has this hash, or 0. */
export function likelyPlace(hash: u32): usize {
  return load<u32>(slotOf(hash));
}

/** Reads the start of an entry, so that it is cached when it is compared. */
export function prefetch(place: usize): void {
  if (place != 0) touched ^= (<u32>load<u8>(place)) ^ (<u32>load<u8>(place + LINE_BYTES));
}

/** @returns the text's number, or `NONE` */
export function find(hash: u32, text: usize, length: u32): u32 {
  let slot = slotOf(hash);
  for (let place: usize; (place = load<u32>(slot)) != 0; slot = slotAfter(slot)) {
    if (load<u32>(slot, 4) != hash || load<u32>(place, 4) != length) continue;
    if (areEqual(place + HEAD_BYTES, text, length)) return load<u32>(place);
  }
  return NONE;
}

/** Adds a text that was not found. @returns its number, or `NONE` if there is no room */
export function add(hash: u32, text: usize, length: u32): u32 {
  const place = nextEntry;
  // The bytes after the last entry are read, too, when it is compared.
  const next = (place + HEAD_BYTES + length + 3) & ~3;
  if (next + LINE_BYTES > entriesLimit) return NONE;
  if ((count + 1) * 2 > (<u32>1) << slotBits && !grow()) return NONE;
  nextEntry = next;
  store<u32>(place, count);
  store<u32>(place, length, 4);
  memory.copy(place + HEAD_BYTES, text, length);
  put(hash, place);
  return count++;
}

function put(hash: u32, place: usize): void {
  let slot = slotOf(hash);
  while (load<u32>(slot) != 0) slot = slotAfter(slot);
  store<u32>(slot, <u32>place);
  store<u32>(slot, hash, 4);
}

/** Moves the slots into memory of four times the size, which follows. @returns false if there is none */
function grow(): bool {
  const former = slots;
  const formerEnd = slots + (SLOT_BYTES << slotBits);
  if (formerEnd + (SLOT_BYTES << (slotBits + 2)) > slotsLimit) return false;
  slots = formerEnd;
  slotBits += 2;
  for (let slot = former; slot < formerEnd; slot += SLOT_BYTES) {
    if (load<u32>(slot) != 0) put(load<u32>(slot, 4), load<u32>(slot));
  }
  return true;
}
