import { Uint32List } from './uint32-list.js';

/** The longest byte string a table takes: a row may have 1 MiB, and some room for what encoding adds. */
export const MAX_ENTRY_BYTES = 1 << 21;

const CHUNK_BITS = 21;
const CHUNK_BYTES = 1 << CHUNK_BITS;

/** Room after a chunk's end, so that the last bytes of an entry may be read as a whole word. */
const SLACK = 4;

/**
 * Numbers distinct byte strings from 0 in order of first appearance. A hash table with open addressing over bytes: no
 * string is made per row, which is most of what a builder over a `Map` of strings spends its time on.
 */
export class ByteTable {
  /** Number of entries. */
  size = 0;
  private readonly chunks: Buffer[] = [];
  private readonly views: DataView[] = [];
  /** Where an entry lies: chunk number and offset in one. */
  private readonly places = new Uint32List();
  private readonly lengths = new Uint32List();
  private readonly hashes = new Uint32List();
  /** Entry number plus one, or 0; a power of two of slots, at most half of them taken. */
  private slots = new Uint32Array(1 << 12);
  private room = 0;
  private lastHash = 0;

  /** Bytes held, roughly. */
  get byteLength(): number {
    return this.chunks.length * CHUNK_BYTES;
  }

  /** @returns the entry's number, or -1 when the bytes are new */
  find(view: DataView, start: number, end: number): number {
    const hash = hashBytes(view, start, end);
    this.lastHash = hash;
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = this.slots[slot]! - 1;
      if (entry < 0) return -1;
      if (this.hashes.at(entry) === hash && this.equals(entry, view, start, end)) return entry;
    }
  }

  /** @returns the number of the bytes' entry, which is made when they are new */
  intern(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const entry = this.find(view, start, end);
    return entry >= 0 ? entry : this.add(bytes, start, end);
  }

  /** Adds what the last {@link ByteTable.find} did not find. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    this.reserve(length);
    const chunk = this.chunks.length - 1;
    const offset = CHUNK_BYTES - this.room;
    this.chunks[chunk]!.set(bytes.subarray(start, end), offset);
    this.room -= length;
    this.places.push(chunk * CHUNK_BYTES + offset);
    this.lengths.push(length);
    this.hashes.push(this.lastHash);
    this.size++;
    if (this.size * 2 > this.slots.length) this.grow();
    else this.place(this.size - 1);
    return this.size - 1;
  }

  lengthOf(entry: number): number {
    return this.lengths.at(entry);
  }

  /** Copies an entry's bytes to `target` at `at`. */
  copy(entry: number, target: Uint8Array, at: number): void {
    const place = this.places.at(entry);
    const offset = place & (CHUNK_BYTES - 1);
    this.chunks[place >>> CHUNK_BITS]!.copy(target, at, offset, offset + this.lengths.at(entry));
  }

  private equals(entry: number, view: DataView, start: number, end: number): boolean {
    const length = end - start;
    if (this.lengths.at(entry) !== length) return false;
    const place = this.places.at(entry);
    const mine = this.views[place >>> CHUNK_BITS]!;
    const shift = (place & (CHUNK_BYTES - 1)) - start;
    const last = end - 4;
    for (let i = start; i < last; i += 4) {
      if (view.getInt32(i, true) !== mine.getInt32(i + shift, true)) return false;
    }
    if (length >= 4) return view.getInt32(last, true) === mine.getInt32(last + shift, true);
    for (let i = start; i < end; i++) if (view.getUint8(i) !== mine.getUint8(i + shift)) return false;
    return true;
  }

  private reserve(length: number): void {
    if (length <= this.room && this.chunks.length > 0) return;
    const chunk = Buffer.alloc(CHUNK_BYTES + SLACK);
    this.chunks.push(chunk);
    this.views.push(new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.room = CHUNK_BYTES;
  }

  private grow(): void {
    this.slots = new Uint32Array(this.slots.length * 4);
    for (let entry = 0; entry < this.size; entry++) this.place(entry);
  }

  private place(entry: number): void {
    const mask = this.slots.length - 1;
    let slot = this.hashes.at(entry) & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = entry + 1;
  }
}

/** Multiply and shift over words in two lanes, so that the processor computes both at once. */
function hashBytes(view: DataView, start: number, end: number): number {
  let even = end - start;
  let odd = 0x9747_b28c;
  let i = start;
  for (const last = end - 8; i <= last; i += 8) {
    even = Math.imul(even ^ view.getInt32(i, true), 0x9e37_79b1);
    even ^= even >>> 15;
    odd = Math.imul(odd ^ view.getInt32(i + 4, true), 0x85eb_ca6b);
    odd ^= odd >>> 13;
  }
  for (; i < end; i++) even = Math.imul(even ^ view.getUint8(i), 0x0100_0193);
  let hash = Math.imul(even ^ (odd << 7) ^ (odd >>> 25), 0xc2b2_ae35);
  hash ^= hash >>> 16;
  return (Math.imul(hash, 0x27d4_eb2f) ^ (hash >>> 13)) >>> 0;
}
