import { ByteTable } from '../values/byte-table.js';
import { Uint32List } from '../values/uint32-list.js';

/** Memory limit of the cached texts. */
const MAX_BYTES = 192 << 20;

/** Caches payloads of rows by the raw text of their values. */
export class KnownValues {
  private readonly texts = new ByteTable();
  private readonly payloads = new Uint32List();

  /** Prefetches for {@link KnownValues.find} of the first `count` hashes. */
  prefetch(hashes: Uint32Array, count: number): void {
    this.texts.prefetch(hashes, count);
  }

  /** @returns the payload of a text with this hash, or -1 if the text is new */
  find(hash: number, view: DataView, start: number, end: number): number {
    const entry = this.texts.findHashed(hash, view, start, end);
    return entry < 0 ? -1 : this.payloads.at(entry);
  }

  /** Caches the payload of a new text, while there is room. */
  keep(bytes: Uint8Array, view: DataView, start: number, end: number, payload: number): void {
    if (this.texts.byteLength > MAX_BYTES) return;
    const entry = this.texts.intern(bytes, view, start, end);
    if (entry === this.payloads.length) this.payloads.push(payload);
  }
}

/** Rows read ahead. */
const ROWS = 32;

/** Words per range: two addresses of up to four words. */
const RANGE_WORDS = 8;

/**
 * Rows in plain form, read before their values are looked up. The texts to compare with are scattered over more
 * memory than the CPU caches hold: batching the lookups overlaps their cache misses.
 */
export class RowBatch {
  count = 0;
  /** Where each row starts, its values start, and its line ends, in the reader's buffer. */
  readonly starts = new Int32Array(ROWS);
  readonly valueStarts = new Int32Array(ROWS);
  readonly lineEnds = new Int32Array(ROWS);
  /** Hashes of the values' texts. */
  readonly hashes = new Uint32Array(ROWS);
  /** First and last address of each row, at {@link RowBatch.rangeAt}. */
  readonly ranges = new Uint32Array(ROWS * RANGE_WORDS);

  get full(): boolean {
    return this.count === ROWS;
  }

  rangeAt(row: number): number {
    return row * RANGE_WORDS;
  }

  /** Adds a row whose range has been written to the next free place. */
  add(start: number, valueStart: number, lineEnd: number, hash: number): void {
    const row = this.count++;
    this.starts[row] = start;
    this.valueStarts[row] = valueStart;
    this.lineEnds[row] = lineEnd;
    this.hashes[row] = hash;
  }
}
