import type { Engine } from './engine.js';

/** Rows in plain form that another thread read. */
export interface NumberedPiece {
  /** Where they start and end in the file. */
  readonly from: number;
  readonly to: number;
  /** First address, last address, number of the text and line in the piece of each row: IPv4 rows, then IPv6 rows. */
  readonly words: Uint32Array;
  readonly ipv4: number;
  readonly ipv6: number;
  /** The texts that are new, as in the engine's table. */
  readonly texts: Uint8Array;
}

/** Rows of each family in a piece; as in `assembly/layout.ts`. */
const MAX_ROWS = 1 << 14;
const IPV4_WORDS = 4;
const IPV6_WORDS = 10;

/** Words for the rows of a piece. */
export function pieceWords(width: 1 | 4): number {
  return MAX_ROWS * (width === 1 ? IPV4_WORDS : IPV4_WORDS + IPV6_WORDS);
}

/** Length and payload of a text, before its bytes. */
const HEAD_BYTES = 8;

/** Not a payload. */
const NONE = 0xffff_ffff;

/** Adds rows that another thread read to those that the engine reads in this one. */
export class NumberedRows {
  private readonly rows: readonly [Uint32Array, Uint32Array];
  private readonly texts: Buffer;
  private readonly payloads: Uint32Array;
  /** Texts so far. */
  private count = 0;
  private hasInvalidTexts = false;

  constructor(private readonly engine: Engine) {
    const { buffer } = engine.memory;
    this.rows = [
      new Uint32Array(buffer, engine.numberedRowsAt(false), MAX_ROWS * IPV4_WORDS),
      new Uint32Array(buffer, engine.numberedRowsAt(true), MAX_ROWS * IPV6_WORDS),
    ];
    this.texts = Buffer.from(buffer, engine.numberedTextsAt());
    this.payloads = new Uint32Array(buffer, engine.payloadsAt());
  }

  /**
   * Finds the payloads of a piece's texts. Of every piece in their order, also of one that is not added.
   *
   * @param payloadOf the payload of a text that the engine cannot read, unless it is invalid
   */
  learn({ texts }: NumberedPiece, payloadOf: (text: Buffer) => number | undefined): void {
    const { engine } = this;
    const start = engine.numberedTextsAt();
    const end = start + texts.length;
    this.texts.set(texts);
    for (let at = start; ;) {
      this.count = engine.learnTexts(at, end, this.count);
      const text = engine.unread.value;
      if (text === 0) return;
      const length = this.texts.readUInt32LE(text - start);
      const first = text - start + HEAD_BYTES;
      const payload = payloadOf(this.texts.subarray(first, first + length)) ?? NONE;
      this.hasInvalidTexts ||= payload === NONE;
      this.payloads[this.count++] = payload;
      at = (text + HEAD_BYTES + length + 3) & ~3;
    }
  }

  /**
   * Adds the rows of a piece, whose texts were learnt.
   *
   * @param before line before its first
   * @returns false if the values of some are invalid, and none was added
   */
  add({ words, ipv4, ipv6 }: NumberedPiece, before: number): boolean {
    const { engine, rows } = this;
    rows[0].set(words.subarray(0, ipv4 * IPV4_WORDS));
    rows[1].set(words.subarray(ipv4 * IPV4_WORDS, ipv4 * IPV4_WORDS + ipv6 * IPV6_WORDS));
    if (this.hasInvalidTexts && !(engine.hasPayloads(false, ipv4) && engine.hasPayloads(true, ipv6)))
      return false;
    engine.addNumbered(false, ipv4, before);
    engine.addNumbered(true, ipv6, before);
    return true;
  }
}
