import { readSync } from 'node:fs';
import type { NumberedPiece } from '../scan/numbered-rows.js';
import { INPUT_BYTES, type RowNumberer } from '../scan/row-numberer.js';

/** Bytes after a block that are read to find where its last line ends. */
const AHEAD_BYTES = 1 << 16;

const LF = 10;

/** Reads the lines that start in a block of a file. */
export class BlockNumberer {
  /** @param blockBytes at most 1 MiB */
  constructor(
    private readonly numberer: RowNumberer,
    private readonly fd: number,
    private readonly blockBytes: number,
  ) {}

  /**
   * @param block not the first or last one
   * @param allocate an array for the rows of a piece
   */
  *pieces(block: number, allocate: (words: number) => Uint32Array): Generator<NumberedPiece> {
    const { numberer, blockBytes } = this;
    const { input } = numberer;
    // A line starts after a line feed, which may be the last byte of the block before.
    const offset = block * blockBytes - 1;
    const length = this.fill(offset);
    const start = input.indexOf(LF) + 1;
    const end = input.indexOf(LF, blockBytes) + 1;
    if (start === 0 || start > blockBytes || end === 0 || end > length) return;
    yield* numberer.read(start, end, offset, allocate);
  }

  /** @returns how many bytes were read */
  private fill(offset: number): number {
    const { input } = this.numberer;
    const wanted = Math.min(INPUT_BYTES, this.blockBytes + 1 + AHEAD_BYTES);
    for (let done = 0; ;) {
      const size = readSync(this.fd, input, done, wanted - done, offset + done);
      done += size;
      if (size === 0 || done === wanted) return done;
    }
  }
}
