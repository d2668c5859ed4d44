import { type RowFormat, RowScanner, type ScanProgram } from './row-scanner.js';

const LF = 10;

/** Rows found by one scan. */
const ROWS_PER_SCAN = 1 << 12;

/** Rows of a block that are not in plain form, after which the rest of it is not scanned. */
const MAX_GAPS = 16;

/** Consecutive rows in plain form. */
export interface ScannedRun {
  /** Where they start and end in the file. */
  readonly start: number;
  readonly end: number;
  /** Each row's addresses, the number of its text and its offset in `bytes`. */
  readonly rows: Uint32Array;
  /** The rows' bytes. */
  readonly bytes: Uint8Array;
}

/** A part of a file. */
export interface Block {
  readonly from: number;
  readonly to: number;
  /** True if its first row starts at `from`. */
  readonly isFirst: boolean;
}

/** The runs of a block, and which scanner numbered their texts. */
export interface ScannedBlock {
  readonly scanner: number;
  readonly runs: readonly ScannedRun[];
}

/** Sizes in bytes. */
export interface BlockSizes {
  readonly block: number;
  /** What is read after a block at most, so that its last row ends. */
  readonly lookAhead: number;
}

/** Fills the buffer with the file's bytes from a position on. @returns their number, less than its size only at the end */
export type ReadAt = (target: Buffer, position: number) => number;

/**
 * Finds the runs of rows in plain form that start in a block. The first row is taken to start after the first line feed,
 * which is wrong if that is within quotes: a run may be used only if the row before it ends where it starts.
 */
export class BlockScanner {
  private readonly scanner: RowScanner;
  private readonly windowBytes: number;

  /** @throws {RangeError} if there is no memory */
  constructor(
    program: ScanProgram,
    format: RowFormat,
    private readonly sizes: BlockSizes,
  ) {
    this.windowBytes = sizes.block + sizes.lookAhead + 1;
    const scanner = RowScanner.create(program, this.windowBytes + 1, ROWS_PER_SCAN);
    if (!scanner?.configure(format)) throw new RangeError('not enough memory to scan a file in blocks');
    this.scanner = scanner;
  }

  scan({ from, to, isFirst }: Block, read: ReadAt): ScannedRun[] {
    const at = isFirst ? from : from - 1;
    const bytes = Buffer.allocUnsafeSlow(Math.min(to + this.sizes.lookAhead - at, this.windowBytes));
    const length = read(bytes, at);
    const { input } = this.scanner;
    input.set(bytes.subarray(0, length));
    input[length] = LF;
    const runs: ScannedRun[] = [];
    const stop = Math.min(to - at, length);
    let p = isFirst ? 0 : this.lineAfter(0);
    for (let gaps = 0; p < stop && gaps < MAX_GAPS;) {
      const next = this.scanner.scan(p, stop, length);
      if (next > p) runs.push(this.run(bytes, at, p, next));
      else gaps++;
      p = next > p ? next : this.lineAfter(p);
    }
    return runs;
  }

  private lineAfter(p: number): number {
    return this.scanner.input.indexOf(LF, p) + 1;
  }

  private run(bytes: Uint8Array, at: number, start: number, end: number): ScannedRun {
    const { rows, count, stride } = this.scanner;
    return {
      start: at + start,
      end: at + end,
      rows: rows.slice(0, count * stride),
      bytes: bytes.subarray(start, end),
    };
  }
}
