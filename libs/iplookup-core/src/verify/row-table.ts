import { compareWords } from '../address/address-words.js';

const CHUNK_BITS = 16;
const CHUNK_ROWS = 1 << CHUNK_BITS;
/** Words per row: first address, last address, mark of the record. */
const STRIDE = 10;

/** Rows that a table takes; more than the vendor's largest file has. They need 40 bytes each, unordered ones 80. */
export const MAX_ROWS = 20_000_000;

/**
 * Rows by their addresses, kept in numbers only, and the question which of them covers an address: where several do,
 * the latest. Found with a tree of highest addresses, not with the builder's sweep.
 */
export class RowTable {
  count = 0;
  private readonly chunks: Uint32Array[] = [];
  /** True as long as each row lies wholly above the one before. */
  private ordered = true;
  /** Rows by their first addresses; unused while they are ordered. */
  private order = new Uint32Array(0);
  /** The highest last address below each node of a binary tree over `order`, the root being node 1. */
  private highest = new Uint32Array(0);
  private leaves = 1;

  /** @param mark two words that stand for the row's record */
  add(first: Uint32Array, last: Uint32Array, mark: Uint32Array): void {
    if (this.count % CHUNK_ROWS === 0) this.chunks.push(new Uint32Array(CHUNK_ROWS * STRIDE));
    const row = this.count++;
    const words = this.chunkOf(row);
    const at = this.offset(row);
    words.set(first, at);
    words.set(last, at + 4);
    words.set(mark, at + 8);
    if (row > 0 && compareWords(first, 0, this.chunkOf(row - 1), this.offset(row - 1) + 4, 4) <= 0)
      this.ordered = false;
  }

  /** Call when all rows were added. */
  finish(): void {
    if (this.ordered) return;
    this.order = Uint32Array.from({ length: this.count }, (_, row) => row).sort(
      (a, b) => compareWords(this.chunkOf(a), this.offset(a), this.chunkOf(b), this.offset(b), 4) || a - b,
    );
    while (this.leaves < this.count) this.leaves *= 2;
    this.highest = new Uint32Array(this.leaves * 8);
    for (let place = 0; place < this.count; place++) {
      const row = this.order[place]!;
      const last = this.chunkOf(row).subarray(this.offset(row) + 4, this.offset(row) + 8);
      for (let node = this.leaves + place; node > 0; node >>>= 1) {
        if (node < this.leaves && compareWords(last, 0, this.highest, node * 4, 4) <= 0) break;
        this.highest.set(last, node * 4);
      }
    }
  }

  /** The number of the row at a place in the order of addresses. */
  rowAt(place: number): number {
    return this.ordered ? place : this.order[place]!;
  }

  /** Copies a row's first (0) or last (1) address. */
  copyAddress(row: number, end: 0 | 1, to: Uint32Array): void {
    const at = this.offset(row) + 4 * end;
    for (let word = 0; word < 4; word++) to[word] = this.chunkOf(row)[at + word]!;
  }

  hasMark(row: number, mark: Uint32Array): boolean {
    const words = this.chunkOf(row);
    const at = this.offset(row) + 8;
    return words[at] === mark[0] && words[at + 1] === mark[1];
  }

  /**
   * The number of the latest row that covers the address, or -1.
   *
   * @param counts whether a row is considered
   */
  covering(address: Uint32Array, counts: (row: number) => boolean = () => true): number {
    const places = this.placesUpTo(address);
    if (!this.ordered) return this.latest(1, 0, this.leaves, places, address, counts);
    const row = places - 1;
    if (row < 0 || compareWords(this.chunkOf(row), this.offset(row) + 4, address, 0, 4) < 0) return -1;
    return counts(row) ? row : -1;
  }

  /** How many rows begin at the address or before. */
  private placesUpTo(address: Uint32Array): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const row = this.rowAt(middle);
      if (compareWords(this.chunkOf(row), this.offset(row), address, 0, 4) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private latest(
    node: number,
    from: number,
    size: number,
    places: number,
    address: Uint32Array,
    counts: (row: number) => boolean,
  ): number {
    if (from >= places || compareWords(this.highest, node * 4, address, 0, 4) < 0) return -1;
    if (size === 1) return counts(this.order[from]!) ? this.order[from]! : -1;
    const half = size / 2;
    return Math.max(
      this.latest(2 * node, from, half, places, address, counts),
      this.latest(2 * node + 1, from + half, half, places, address, counts),
    );
  }

  private chunkOf(row: number): Uint32Array {
    return this.chunks[row >>> CHUNK_BITS]!;
  }

  private offset(row: number): number {
    return (row & (CHUNK_ROWS - 1)) * STRIDE;
  }
}
