import { equal } from './hashes';

const FIRST_SLOTS: u32 = 1 << 14;
const SLOT_BYTES: usize = 8;
export const HEAD_BYTES: u32 = 8;

/**
 * Byte strings, each with a payload. A hash table with open addressing; a slot holds a string's hash and place. At its
 * place are its length, its payload and its bytes.
 */
@unmanaged
export class ByteTable {
  slots: usize;
  mask: u32;
  size: u32;
  used: usize;
  end: usize;
  maxSize: u32;

  /** @param slots where the hash table is, and behind it larger ones that replace it, up to the strings */
  setUp(slots: usize, strings: usize, end: usize, maxSize: u32): void {
    this.slots = slots;
    this.mask = FIRST_SLOTS - 1;
    this.size = 0;
    this.used = strings;
    this.end = end;
    this.maxSize = maxSize;
  }

  /** Where the string with this hash may be, to be read in advance; 0 if it is new. */
  placeOf(hash: u32): usize {
    return load<u32>(this.slots + <usize>(hash & this.mask) * SLOT_BYTES, 4);
  }

  /** @returns the place of a string with this hash, or 0 if it is new */
  find(hash: u32, bytes: usize, length: u32): usize {
    const slots = this.slots;
    const mask = this.mask;
    let slot = hash & mask;
    while (true) {
      const at = slots + <usize>slot * SLOT_BYTES;
      const place = <usize>load<u32>(at, 4);
      if (place == 0) return 0;
      if (load<u32>(at) == hash && load<u32>(place) == length && equal(place + HEAD_BYTES, bytes, length))
        return place;
      slot = (slot + 1) & mask;
    }
  }

  /** Adds a new string. @returns its place, or 0 if there is no room */
  add(hash: u32, bytes: usize, length: u32, payload: u32): usize {
    const place = this.used;
    if (place + HEAD_BYTES + length + 32 > this.end || this.size == this.maxSize) return 0;
    store<u32>(place, length);
    store<u32>(place, payload, 4);
    memory.copy(place + HEAD_BYTES, bytes, length);
    if (++this.size * 2 > this.mask) this.grow();
    this.put(hash, <u32>place);
    this.used = (place + HEAD_BYTES + length + 3) & ~3;
    return place;
  }

  private put(hash: u32, place: u32): void {
    let slot = hash & this.mask;
    while (load<u32>(this.slots + <usize>slot * SLOT_BYTES, 4) != 0) slot = (slot + 1) & this.mask;
    store<u32>(this.slots + <usize>slot * SLOT_BYTES, hash);
    store<u32>(this.slots + <usize>slot * SLOT_BYTES, place, 4);
  }

  /** The larger table follows the former one. */
  private grow(): void {
    const former = this.slots;
    const end = former + <usize>(this.mask + 1) * SLOT_BYTES;
    this.slots = end;
    this.mask = this.mask * 4 + 3;
    for (let at = former; at < end; at += SLOT_BYTES)
      if (load<u32>(at, 4) != 0) this.put(load<u32>(at), load<u32>(at, 4));
  }
}

export function payloadAt(place: usize): u32 {
  return load<u32>(place, 4);
}
