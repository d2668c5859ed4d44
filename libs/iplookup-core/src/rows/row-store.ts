import { compareWords, copyWords, nextAddress } from '../address/address-words.js';
import { mappedWords } from './mapped-words.js';

const CHUNK_BITS = 14;
/** Rows of an array. */
export const CHUNK_ROWS = 1 << CHUNK_BITS;

/** Rows of one address family that are added together. */
export interface RowRun {
  /** First address, last address, value and line of each row. */
  readonly words: Uint32Array;
  readonly count: number;
  /** True if the rows are ascending and disjoint. */
  readonly ordered: boolean;
  /** Number of rows that continue the previous one with the same value. */
  readonly continued: number;
}

/**
 * The rows of one address family in input order: first and last address, value and line in typed arrays. Chunks can
 * be released while the tree is built, so that rows and tree are never both complete in memory.
 */
export class RowStore {
  count = 0;
  /** True while the rows are ascending and disjoint. */
  ordered = true;
  /** Number of rows that continue the previous one with the same value. */
  continued = 0;
  /** Words per row: first address, last address, value, line. */
  readonly stride: number;
  private readonly chunks: (Uint32Array | undefined)[] = [];
  private current: Uint32Array;
  /** The address after the last row, and whether there is none. */
  private readonly afterLast: Uint32Array;
  private atEnd = false;
  private lastValue = 0;
  private room = 0;

  /**
   * @param width words per address
   * @param allocate the arrays
   */
  constructor(
    readonly width: 1 | 4,
    private readonly allocate: (words: number) => Uint32Array = mappedWords,
  ) {
    this.stride = 2 * width + 2;
    this.current = new Uint32Array(0);
    this.afterLast = new Uint32Array(width);
  }

  /** Adds rows that were compared with each other already. */
  appendRun({ words, count, ordered, continued }: RowRun): void {
    if (count === 0) return;
    const { width, stride } = this;
    if (this.count > 0) this.compareWithLast(words, 0, words[2 * width]!);
    this.ordered &&= ordered;
    this.continued += continued;
    for (let done = 0; done < count;) {
      if (this.room === 0) this.addChunk();
      const size = Math.min(this.room, count - done);
      const at = (CHUNK_ROWS - this.room) * stride;
      this.current.set(words.subarray(done * stride, (done + size) * stride), at);
      this.room -= size;
      done += size;
    }
    this.count += count;
    const last = (count - 1) * stride;
    this.atEnd = !nextAddress(words, last + width, this.afterLast, 0, width);
    this.lastValue = words[last + 2 * width]!;
  }

  /** Adds a row with its first address at `first` in `range`, and its last at `last`. */
  append(range: Uint32Array, first: number, last: number, value: number, line: number): void {
    const width = this.width;
    if (this.count > 0) this.compareWithLast(range, first, value);
    if (this.room === 0) this.addChunk();
    const at = (CHUNK_ROWS - this.room--) * this.stride;
    copyWords(range, first, this.current, at, width);
    copyWords(range, last, this.current, at + width, width);
    this.current[at + 2 * width] = value;
    this.current[at + 2 * width + 1] = line;
    this.count++;
    this.atEnd = !nextAddress(range, last, this.afterLast, 0, width);
    this.lastValue = value;
  }

  private addChunk(): void {
    this.current = this.allocate(CHUNK_ROWS * this.stride);
    this.chunks.push(this.current);
    this.room = CHUNK_ROWS;
  }

  private compareWithLast(range: Uint32Array, first: number, value: number): void {
    const order = compareWords(range, first, this.afterLast, 0, this.width);
    if (order < 0 || this.atEnd) this.ordered = false;
    else if (order === 0 && value === this.lastValue) this.continued++;
  }

  /** The array containing a row, see {@link RowStore.offset}. */
  chunkOf(row: number): Uint32Array {
    const chunk = this.chunks[row >>> CHUNK_BITS];
    if (chunk === undefined) throw new RangeError(`row ${row} was given back`);
    return chunk;
  }

  /** Where a row starts in its array. */
  offset(row: number): number {
    return (row & (CHUNK_ROWS - 1)) * this.stride;
  }

  valueOf(row: number): number {
    return this.chunkOf(row)[this.offset(row) + 2 * this.width]!;
  }

  lineOf(row: number): number {
    return this.chunkOf(row)[this.offset(row) + 2 * this.width + 1]!;
  }

  /** True if `row` is the last one in its array. */
  endsChunk(row: number): boolean {
    return (row & (CHUNK_ROWS - 1)) === CHUNK_ROWS - 1;
  }

  /** Releases the array containing `row`, whose rows can no longer be read. @returns the array */
  release(row: number): Uint32Array {
    const chunk = this.chunkOf(row);
    this.chunks[row >>> CHUNK_BITS] = undefined;
    return chunk;
  }
}
