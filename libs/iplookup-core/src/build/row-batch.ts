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
