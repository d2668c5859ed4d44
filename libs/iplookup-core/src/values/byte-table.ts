/** The longest byte string a table takes: a row may have 1 MiB, and some room for what encoding adds. */
export const MAX_ENTRY_BYTES = 1 << 21;

const CHUNK_BITS = 21;
const CHUNK_BYTES = 1 << CHUNK_BITS;

/**
 * Numbers distinct byte strings from 0 in order of first appearance. A hash table with open addressing over bytes: no
 * string is made per row, which is most of what a builder over a `Map` of strings spends its time on.
 */
export class ByteTable {
  /** Number of entries. */
  size = 0;
  private readonly chunks: Buffer[] = [];
  private readonly views: DataView[] = [];
  /** Place (chunk number and offset in one) and length of each entry. */
  private entries = new Uint32Array(1 << 12);
  /** Entry number plus one, or 0, and its hash; a power of two of slots, at most half of them taken. */
  private slots = new Uint32Array(1 << 13);
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
    const { slots } = this;
    const mask = slots.length - 2;
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const entry = slots[slot]! - 1;
      if (entry < 0) return -1;
      if (slots[slot + 1] === hash && this.equals(entry, view, start, end)) return entry;
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
    const entry = this.size++;
    if (entry * 2 === this.entries.length) this.growEntries();
    this.entries[entry * 2] = chunk * CHUNK_BYTES + offset;
    this.entries[entry * 2 + 1] = length;
    if (this.size * 4 > this.slots.length) this.growSlots();
    this.place(entry, this.lastHash);
    return entry;
  }

  lengthOf(entry: number): number {
    return this.entries[entry * 2 + 1]!;
  }

  /** Copies an entry's bytes to `target` at `at`. */
  copy(entry: number, target: Uint8Array, at: number): void {
    const place = this.entries[entry * 2]!;
    const offset = place & (CHUNK_BYTES - 1);
    this.chunks[place >>> CHUNK_BITS]!.copy(target, at, offset, offset + this.entries[entry * 2 + 1]!);
  }

  private equals(entry: number, view: DataView, start: number, end: number): boolean {
    const length = end - start;
    if (this.entries[entry * 2 + 1] !== length) return false;
    const place = this.entries[entry * 2]!;
    const mine = this.views[place >>> CHUNK_BITS]!;
    const shift = (place & (CHUNK_BYTES - 1)) - start;
    if (length < 8) {
      for (let i = start; i < end; i++) if (view.getUint8(i) !== mine.getUint8(i + shift)) return false;
      return true;
    }
    // Eight bytes a step; the last step overlaps the one before, so that no byte is left over.
    const last = end - 8;
    for (let i = start; i < last; i += 8) if (differ(view, i, mine, i + shift)) return false;
    return !differ(view, last, mine, last + shift);
  }

  private reserve(length: number): void {
    if (length <= this.room && this.chunks.length > 0) return;
    const chunk = Buffer.alloc(CHUNK_BYTES);
    this.chunks.push(chunk);
    this.views.push(new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.room = CHUNK_BYTES;
  }

  private growEntries(): void {
    const grown = new Uint32Array(this.entries.length * 2);
    grown.set(this.entries);
    this.entries = grown;
  }

  private growSlots(): void {
    const former = this.slots;
    this.slots = new Uint32Array(former.length * 4);
    for (let slot = 0; slot < former.length; slot += 2) {
      if (former[slot] !== 0) this.place(former[slot]! - 1, former[slot + 1]!);
    }
  }

  private place(entry: number, hash: number): void {
    const mask = this.slots.length - 2;
    let slot = (hash << 1) & mask;
    while (this.slots[slot] !== 0) slot = (slot + 2) & mask;
    this.slots[slot] = entry + 1;
    this.slots[slot + 1] = hash;
  }
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
function hashBytes(view: DataView, start: number, end: number): number {
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
