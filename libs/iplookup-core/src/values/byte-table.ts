/** An entry lies whole in one chunk: a row has at most 1 MiB, and encoding adds little. */
const CHUNK_BITS = 21;
const CHUNK_BYTES = 1 << CHUNK_BITS;

/** How many entries {@link ByteTable.approach} takes at once. */
const MAX_APPROACHED = 64;

/** What a processor fetches at once. */
const LINE_BYTES = 64;

/** An entry's number and length stand before its bytes. */
const HEAD_BYTES = 8;

/**
 * Numbers distinct byte strings from 0 in order of first appearance. A hash table with open addressing over bytes: no
 * string is made per row, which is most of what a builder over a `Map` of strings spends its time on. What is left is
 * waiting for memory, so all that tells whether an entry is the one sought lies in one place.
 */
export class ByteTable {
  /** Number of entries. */
  size = 0;
  private readonly chunks: Buffer[] = [];
  private readonly views: DataView[] = [];
  /** Place of each entry: chunk number and offset in one. */
  private places = new Uint32Array(1 << 12);
  /** Place plus one, or 0, and hash of an entry; a power of two of slots, at most half of them taken. */
  private slots = new Uint32Array(1 << 13);
  private readonly approached = new Uint32Array(MAX_APPROACHED);
  private room = 0;
  private lastHash = 0;

  /** Bytes held, roughly. */
  get byteLength(): number {
    return this.chunks.length * CHUNK_BYTES;
  }

  /** @returns the entry's number, or -1 when the bytes are new */
  find(view: DataView, start: number, end: number): number {
    return this.findHashed(hashBytes(view, start, end), view, start, end);
  }

  /** The same, for bytes whose hash is known. */
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
   * Reads something of what {@link ByteTable.findHashed} will read for each of the first `count` hashes. The processor
   * waits for memory once for all of them, and finds it near later.
   */
  approach(hashes: Uint32Array, count: number): void {
    const { slots, approached } = this;
    const mask = slots.length - 2;
    for (let i = 0; i < count; i++) approached[i] = slots[(hashes[i]! << 1) & mask]!;
    let seen = 0;
    for (let i = 0; i < count; i++) {
      const place = approached[i]! - 1;
      if (place < 0) continue;
      const view = this.views[place >>> CHUNK_BITS]!;
      const at = place & (CHUNK_BYTES - 1);
      seen ^= view.getUint8(at) ^ view.getUint8(Math.min(at + LINE_BYTES, CHUNK_BYTES - 1));
    }
    // Kept: the processor skips a read whose result is unused.
    approached[0] = seen;
  }

  /** @returns the number of the bytes' entry, which is made when they are new */
  intern(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const entry = this.find(view, start, end);
    return entry >= 0 ? entry : this.add(bytes, start, end);
  }

  /** Adds what the last {@link ByteTable.find} did not find. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    this.reserve(HEAD_BYTES + length);
    const chunk = this.chunks.length - 1;
    const offset = CHUNK_BYTES - this.room;
    const entry = this.size++;
    this.views[chunk]!.setInt32(offset, entry, true);
    this.views[chunk]!.setInt32(offset + 4, length, true);
    this.chunks[chunk]!.set(bytes.subarray(start, end), offset + HEAD_BYTES);
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

  /** Copies an entry's bytes to `target` at `at`. */
  copy(entry: number, target: Uint8Array, at: number): void {
    const place = this.places[entry]!;
    const offset = (place & (CHUNK_BYTES - 1)) + HEAD_BYTES;
    this.chunks[place >>> CHUNK_BITS]!.copy(target, at, offset, offset + this.lengthOf(entry));
  }

  private reserve(length: number): void {
    if (length <= this.room && this.chunks.length > 0) return;
    const chunk = Buffer.alloc(CHUNK_BYTES);
    this.chunks.push(chunk);
    this.views.push(new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.room = CHUNK_BYTES;
  }

  private growPlaces(): void {
    const grown = new Uint32Array(this.places.length * 2);
    grown.set(this.places);
    this.places = grown;
  }

  private growSlots(): void {
    const former = this.slots;
    this.slots = new Uint32Array(former.length * 4);
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

/** True when the entry at `at` of `mine` has the bytes of `view` from `start` to `end`. */
function equals(mine: DataView, at: number, view: DataView, start: number, end: number): boolean {
  const length = end - start;
  if (mine.getInt32(at + 4, true) !== length) return false;
  const shift = at + HEAD_BYTES - start;
  if (length < 8) {
    for (let i = start; i < end; i++) if (view.getUint8(i) !== mine.getUint8(i + shift)) return false;
    return true;
  }
  // Eight bytes a step; the last step overlaps the one before, so that no byte is left over.
  const last = end - 8;
  for (let i = start; i < last; i += 8) if (differ(view, i, mine, i + shift)) return false;
  return !differ(view, last, mine, last + shift);
}

/** True when the eight bytes at the two places are not the same. */
function differ(a: DataView, aAt: number, b: DataView, bAt: number): boolean {
  const low = a.getInt32(aAt, true) ^ b.getInt32(bAt, true);
  return (low | (a.getInt32(aAt + 4, true) ^ b.getInt32(bAt + 4, true))) !== 0;
}

/**
 * Multiply and shift over words in two lanes, so that the processor computes both at once. The last words overlap those
 * before, so that no byte is left over.
 */
export function hashBytes(view: DataView, start: number, end: number): number {
  let even = end - start;
  let odd = 0x9747_b28c;
  let i = start;
  if (even < 8) for (; i < end; i++) even = Math.imul(even ^ view.getUint8(i), 0x0100_0193);
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
