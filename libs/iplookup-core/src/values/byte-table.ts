import { randomBytes } from 'node:crypto';

/** Large enough for any entry: a row has at most 1 MiB, and encoding adds little. */
const CHUNK_BITS = 21;
const CHUNK_BYTES = 1 << CHUNK_BITS;

/** Most tables are small: whole chunks for each of them would cost more, in garbage collection, than filling them. */
const FIRST_CHUNK_BYTES = 1 << 16;

/** Maximum batch of {@link ByteTable.prefetch}. */
const MAX_PREFETCHED = 64;

/** Size of a CPU cache line. */
const LINE_BYTES = 64;

/** Fewer bytes are faster to copy one by one than as a part of their buffer. */
const MAX_COPIED = 64;

/** An entry's number and length, before its bytes. */
const HEAD_BYTES = 8;

/** Numbers distinct byte strings from 0 in order of first appearance. */
export interface EntryTable {
  readonly size: number;
  /** @returns the number of the bytes' entry, which is added if new */
  intern(bytes: Uint8Array, view: DataView, start: number, end: number): number;
  lengthOf(entry: number): number;
  /** Copies an entry's bytes to `target` at `at`. */
  copy(entry: number, target: Uint8Array, at: number): void;
}

/**
 * A hash table with open addressing over raw bytes: unlike a `Map`, it needs no string per row. The remaining cost is cache
 * misses, so everything needed to compare an entry is stored together.
 */
export class ByteTable implements EntryTable {
  /** Number of entries. */
  size = 0;
  /** Approximate memory use. */
  byteLength = 0;
  private readonly chunks: Buffer[] = [];
  private readonly views: DataView[] = [];
  /** Each entry's chunk number and offset, combined. */
  private places = new Uint32Array(1 << 10);
  /** Place plus one (0 if free) and hash of an entry; the number of slots is a power of two, at most half used. */
  private slots = new Uint32Array(1 << 11);
  private readonly prefetched = new Uint32Array(MAX_PREFETCHED);
  private room = 0;
  private lastHash = 0;

  /** @returns the entry's number, or -1 if the bytes are new */
  find(view: DataView, start: number, end: number): number {
    return this.findHashed(hashBytes(view, start, end), view, start, end);
  }

  /** Like {@link find}, for bytes with a known hash. */
  findHashed(hash: number, view: DataView, start: number, end: number): number {
    this.lastHash = hash;
    const { slots } = this;
    const mask = slots.length - 2;
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const place = slots[slot]! - 1;
      if (place < 0) return -1;
      if (slots[slot + 1] !== hash) continue;
      const mine = this.views[place >>> CHUNK_BITS]!;
      const at = place & (CHUNK_BYTES - 1);
      if (equals(mine, at, view, start, end)) return mine.getInt32(at, true);
    }
  }

  /**
   * Prefetches the memory that {@link ByteTable.findHashed} will read for the first `count` hashes, overlapping their
   * cache misses.
   */
  prefetch(hashes: Uint32Array, count: number): void {
    const { slots, prefetched } = this;
    const mask = slots.length - 2;
    for (let i = 0; i < count; i++) prefetched[i] = slots[(hashes[i]! << 1) & mask]!;
    let seen = 0;
    for (let i = 0; i < count; i++) {
      const place = prefetched[i]! - 1;
      if (place < 0) continue;
      const view = this.views[place >>> CHUNK_BITS]!;
      const at = place & (CHUNK_BYTES - 1);
      seen ^= view.getUint8(at) ^ view.getUint8(Math.min(at + LINE_BYTES, view.byteLength - 1));
    }
    // Stored so that the reads are not optimized away.
    prefetched[0] = seen;
  }

  intern(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const entry = this.find(view, start, end);
    return entry >= 0 ? entry : this.add(bytes, view, start, end);
  }

  /** Adds bytes that the last {@link ByteTable.find} did not find. */
  add(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const length = end - start;
    this.reserve(HEAD_BYTES + length);
    const chunk = this.chunks.length - 1;
    const offset = this.chunks[chunk]!.length - this.room;
    const entry = this.size++;
    this.views[chunk]!.setInt32(offset, entry, true);
    this.views[chunk]!.setInt32(offset + 4, length, true);
    if (length > MAX_COPIED) this.chunks[chunk]!.set(bytes.subarray(start, end), offset + HEAD_BYTES);
    else copyBytes(view, start, end, this.views[chunk]!, offset + HEAD_BYTES);
    this.room -= HEAD_BYTES + length;
    if (entry === this.places.length) this.growPlaces();
    const place = chunk * CHUNK_BYTES + offset;
    this.places[entry] = place;
    if (this.size * 4 > this.slots.length) this.growSlots();
    this.put(place, this.lastHash);
    return entry;
  }

  lengthOf(entry: number): number {
    const place = this.places[entry]!;
    return this.views[place >>> CHUNK_BITS]!.getInt32((place & (CHUNK_BYTES - 1)) + 4, true);
  }

  copy(entry: number, target: Uint8Array, at: number): void {
    const place = this.places[entry]!;
    const offset = (place & (CHUNK_BYTES - 1)) + HEAD_BYTES;
    this.chunks[place >>> CHUNK_BITS]!.copy(target, at, offset, offset + this.lengthOf(entry));
  }

  /** Adds the entries, in their order, to an empty table. */
  copyTo<Table extends EntryTable>(table: Table): Table {
    for (const place of this.places.subarray(0, this.size)) {
      const chunk = place >>> CHUNK_BITS;
      const start = (place & (CHUNK_BYTES - 1)) + HEAD_BYTES;
      const end = start + this.views[chunk]!.getInt32(start - 4, true);
      table.intern(this.chunks[chunk]!, this.views[chunk]!, start, end);
    }
    return table;
  }

  private reserve(length: number): void {
    if (length <= this.room && this.chunks.length > 0) return;
    const isSmall = this.chunks.length === 0 && length <= FIRST_CHUNK_BYTES;
    const chunk = Buffer.allocUnsafeSlow(isSmall ? FIRST_CHUNK_BYTES : CHUNK_BYTES);
    this.chunks.push(chunk);
    this.views.push(new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.byteLength += chunk.length;
    this.room = chunk.length;
  }

  private growPlaces(): void {
    const grown = new Uint32Array(this.places.length * 2);
    grown.set(this.places);
    this.places = grown;
  }

  private growSlots(): void {
    const former = this.slots;
    this.slots = new Uint32Array(former.length * 2);
    for (let slot = 0; slot < former.length; slot += 2) {
      if (former[slot] !== 0) this.put(former[slot]! - 1, former[slot + 1]!);
    }
  }

  private put(place: number, hash: number): void {
    const mask = this.slots.length - 2;
    let slot = (hash << 1) & mask;
    while (this.slots[slot] !== 0) slot = (slot + 2) & mask;
    this.slots[slot] = place + 1;
    this.slots[slot + 1] = hash;
  }
}

function copyBytes(from: DataView, start: number, end: number, to: DataView, at: number): void {
  let i = start;
  for (; i + 4 <= end; i += 4) to.setInt32(at + i - start, from.getInt32(i, true), true);
  for (; i < end; i++) to.setUint8(at + i - start, from.getUint8(i));
}

/** True if the entry at `at` in `mine` equals the bytes of `view` from `start` to `end`. */
function equals(mine: DataView, at: number, view: DataView, start: number, end: number): boolean {
  const length = end - start;
  if (mine.getInt32(at + 4, true) !== length) return false;
  const shift = at + HEAD_BYTES - start;
  if (length < 8) {
    for (let i = start; i < end; i++) if (view.getUint8(i) !== mine.getUint8(i + shift)) return false;
    return true;
  }
  // Eight bytes per step; the last step overlaps the previous one to cover the remainder.
  const last = end - 8;
  for (let i = start; i < last; i += 8) if (differ(view, i, mine, i + shift)) return false;
  return !differ(view, last, mine, last + shift);
}

/** True if the eight bytes at the two positions differ. */
function differ(a: DataView, aAt: number, b: DataView, bAt: number): boolean {
  const low = a.getInt32(aAt, true) ^ b.getInt32(bAt, true);
  return (low | (a.getInt32(aAt + 4, true) ^ b.getInt32(bAt + 4, true))) !== 0;
}

/** Random, so that texts cannot be chosen to collide. */
const EVEN_SEED = randomBytes(4).readInt32LE();
const ODD_SEED = randomBytes(4).readInt32LE();

/**
 * A multiply-and-shift hash in two lanes, for instruction-level parallelism. The last words overlap the previous ones
 * to cover the remainder.
 */
export function hashBytes(view: DataView, start: number, end: number): number {
  let even = EVEN_SEED ^ (end - start);
  let odd = ODD_SEED;
  let i = start;
  if (end - start < 8) for (; i < end; i++) even = Math.imul(even ^ view.getUint8(i), 0x0100_0193);
  else {
    for (const last = end - 8; i < last; i += 8) {
      even = Math.imul(even ^ view.getInt32(i, true), 0x9e37_79b1);
      even ^= even >>> 15;
      odd = Math.imul(odd ^ view.getInt32(i + 4, true), 0x85eb_ca6b);
      odd ^= odd >>> 13;
    }
    even = Math.imul(even ^ view.getInt32(end - 8, true), 0x9e37_79b1);
    odd = Math.imul(odd ^ view.getInt32(end - 4, true), 0x85eb_ca6b);
  }
  let hash = Math.imul(even ^ (even >>> 15) ^ (odd << 7) ^ (odd >>> 25), 0xc2b2_ae35);
  hash ^= hash >>> 16;
  return (Math.imul(hash, 0x27d4_eb2f) ^ (hash >>> 13)) >>> 0;
}
