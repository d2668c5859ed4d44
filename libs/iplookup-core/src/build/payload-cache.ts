import { ByteTable } from '../values/byte-table.js';
import { Uint32List } from '../values/uint32-list.js';

/** The texts that are remembered take at most this much memory. */
const MAX_BYTES = 192 << 20;

/** Payloads of rows by the text of their values, as it stands in the file. */
export class KnownValues {
  private readonly texts = new ByteTable();
  private readonly payloads = new Uint32List();

  /** Reads ahead for {@link KnownValues.find} of the first `count` hashes. */
  approach(hashes: Uint32Array, count: number): void {
    this.texts.approach(hashes, count);
  }

  /** @returns the payload of a text whose hash is known, or -1 when the text is new */
  find(hash: number, view: DataView, start: number, end: number): number {
    const entry = this.texts.findHashed(hash, view, start, end);
    return entry < 0 ? -1 : this.payloads.at(entry);
  }

  /** Remembers the payload of a text that is new, as long as there is room. */
  keep(bytes: Uint8Array, view: DataView, start: number, end: number, payload: number): void {
    if (this.texts.byteLength > MAX_BYTES) return;
    const entry = this.texts.intern(bytes, view, start, end);
    if (entry === this.payloads.length) this.payloads.push(payload);
  }
}

/** How many rows are read ahead. */
const ROWS = 32;

/** Words of a row's range: two addresses of at most four. */
const RANGE_WORDS = 8;

/**
 * Rows of plain form, read ahead of the look-up of their values. The texts to compare with lie scattered over more
 * memory than the processor keeps near; asked for one by one, each makes it wait, asked for together they come together.
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

  /** Adds a row whose range was written to the place of the row after the last. */
  add(start: number, valueStart: number, lineEnd: number, hash: number): void {
    const row = this.count++;
    this.starts[row] = start;
    this.valueStarts[row] = valueStart;
    this.lineEnds[row] = lineEnd;
    this.hashes[row] = hash;
  }
}
