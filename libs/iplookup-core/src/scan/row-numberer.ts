import { randomBytes } from 'node:crypto';
import { type Engine, startEngine } from './engine.js';
import { type NumberedPiece, pieceWords } from './numbered-rows.js';

/** The end of the texts in `assembly/layout.ts`. */
const MEMORY_BYTES = 228 << 20;

/** Bytes of the input that the engine has room for. */
export const INPUT_BYTES = 2 << 20;

/** Lines of a block that are not rows in plain form; the rest of a block with more is left out. */
const MAX_ODD_LINES = 16;

const LF = 10;

/** Reads rows in plain form for another thread, which finds the payloads of their texts. */
export class RowNumberer {
  /** Bytes of the input. */
  readonly input: Buffer;
  /** Where the texts end that were passed on. */
  private textsEnd: number;

  private constructor(
    private readonly engine: Engine,
    private readonly width: 1 | 4,
    private readonly separator: number,
  ) {
    this.input = Buffer.from(engine.memory.buffer, engine.inputAt(), INPUT_BYTES);
    this.textsEnd = engine.textsEnd();
  }

  /**
   * @param width words per address
   * @param separator byte between fields
   * @returns `undefined` if this computer cannot run it
   */
  static start(width: 1 | 4, separator: number): RowNumberer | undefined {
    const engine = startEngine(MEMORY_BYTES);
    if (engine === undefined) return undefined;
    const keys = randomBytes(32);
    engine.setUp(width === 4, 0, ...[0, 8, 16, 24].map((at) => keys.readBigUInt64LE(at)));
    engine.numberTexts();
    return new RowNumberer(engine, width, separator);
  }

  /**
   * Reads the rows among the lines of the input.
   *
   * @param start of a line
   * @param end of a line
   * @param offset of the input in the file
   * @param allocate an array for the rows of a piece
   * @returns pieces without the lines that are not rows in plain form
   */
  *read(
    start: number,
    end: number,
    offset: number,
    allocate: (words: number) => Uint32Array,
  ): Generator<NumberedPiece> {
    const { engine } = this;
    engine.begin(end, false, this.separator);
    for (let at = start, odd = 0; at < end && odd <= MAX_ODD_LINES;) {
      const next = engine.scan(at, 0);
      if (next > at) yield this.piece(offset + at, offset + next, allocate(pieceWords(this.width)));
      at = next;
      if (next >= end || engine.needsRoom.value !== 0) continue;
      odd++;
      at = this.input.indexOf(LF, next) + 1;
    }
  }

  private piece(from: number, to: number, words: Uint32Array): NumberedPiece {
    const { engine } = this;
    const { buffer } = engine.memory;
    const [ipv4, ipv6] = [engine.rowsCount(false), this.width === 4 ? engine.rowsCount(true) : 0];
    words.set(new Uint32Array(buffer, engine.rowsAt(false), 4 * ipv4));
    if (ipv6 > 0) words.set(new Uint32Array(buffer, engine.rowsAt(true), 10 * ipv6), 4 * ipv4);
    engine.takenRows();
    const end = engine.textsEnd();
    const texts = new Uint8Array(buffer, this.textsEnd, end - this.textsEnd).slice();
    this.textsEnd = end;
    return { from, to, words, ipv4, ipv6, texts };
  }
}
