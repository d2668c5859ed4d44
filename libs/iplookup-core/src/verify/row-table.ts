import { compareWords } from '../address/address-words.js';

const CHUNK_BITS = 16;
const CHUNK_ROWS = 1 << CHUNK_BITS;
/** Words per row: first address, last address, mark of the record. */
const STRIDE = 10;

/** Maximum rows; more than the largest vendor file. Each takes 40 bytes, or 80 if unordered. */
export const MAX_ROWS = 20_000_000;

interface Wanted {
  readonly address: Uint32Array;
  readonly winner: (a: number, b: number) => number;
  readonly counts: (row: number) => boolean;
}

/**
 * Finds the row that wins at an address. Uses a tree of maximum addresses instead of the builder's sweep, as an
 * independent implementation.
 */
export class RowTable {
  count = 0;
  private readonly chunks: Uint32Array[] = [];
  /** True while the rows are ascending and disjoint. */
  private ordered = true;
  /** Rows sorted by first address; unused while they are in order. */
  private order = new Uint32Array(0);
  /** The maximum last address below each node of a binary tree over `order`; the root is node 1. */
  private highest = new Uint32Array(0);
  private leaves = 1;

  /** @param mark the record's hash, in two words */
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

  /** Must be called after the last row. */
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

  /** The row at an index in address order. */
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
   * The row that wins among those covering the address, or -1.
   *
   * @param counts whether to consider a row
   * @param winner chooses one of two rows, where -1 is none
   */
  covering(
    address: Uint32Array,
    winner: (a: number, b: number) => number,
    counts: (row: number) => boolean = () => true,
  ): number {
    const places = this.placesUpTo(address);
    if (!this.ordered) return this.search(1, 0, this.leaves, places, { address, winner, counts });
    const row = places - 1;
    if (row < 0 || compareWords(this.chunkOf(row), this.offset(row) + 4, address, 0, 4) < 0) return -1;
    return counts(row) ? row : -1;
  }

  /** Number of rows that start at or before the address. */
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

  private search(node: number, from: number, size: number, places: number, wanted: Wanted): number {
    if (from >= places || compareWords(this.highest, node * 4, wanted.address, 0, 4) < 0) return -1;
    if (size === 1) return wanted.counts(this.order[from]!) ? this.order[from]! : -1;
    const half = size / 2;
    return wanted.winner(
      this.search(2 * node, from, half, places, wanted),
      this.search(2 * node + 1, from + half, half, places, wanted),
    );
  }

  private chunkOf(row: number): Uint32Array {
    return this.chunks[row >>> CHUNK_BITS]!;
  }

  private offset(row: number): number {
    return (row & (CHUNK_ROWS - 1)) * STRIDE;
  }
}
