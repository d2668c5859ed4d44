import { compareWords } from '../address/address-words.js';
import { ByteTable, hashBytes } from '../values/byte-table.js';
import { Uint32List } from '../values/uint32-list.js';
import type { AddressReader } from './address-reader.js';
import type { RowsAhead } from './rows-ahead.js';

const LF = 10;

/** Memory limit of the cached texts. */
const MAX_BYTES = 192 << 20;

/** Rows read ahead. */
const ROWS = 32;

/** Words per range: two addresses of up to four words. */
const RANGE_WORDS = 8;

/**
 * Finds rows in plain form, in JavaScript. The texts to compare with are scattered over more memory than the CPU caches
 * hold: looking up several at once overlaps their cache misses.
 */
export class BatchedRows implements RowsAhead {
  count = 0;
  readonly ranges = new Uint32Array(ROWS * RANGE_WORDS);
  private readonly starts = new Int32Array(ROWS);
  private readonly valueStarts = new Int32Array(ROWS);
  private readonly lineEnds = new Int32Array(ROWS);
  /** Hashes of the values' texts. */
  private readonly hashes = new Uint32Array(ROWS);
  private readonly texts = new ByteTable();
  private readonly payloads = new Uint32List();
  private readonly view: DataView;

  /** @param width words per address */
  constructor(
    private readonly bytes: Buffer,
    private readonly addresses: AddressReader,
    private readonly width: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  find(start: number, end: number, final: boolean): void {
    const { bytes, ranges, view, width } = this;
    let row = 0;
    for (let p = start; row < ROWS && p < end; row++) {
      const lineEnd = bytes.indexOf(LF, p);
      if (lineEnd >= end && !final) break;
      const at = this.rangeAt(row);
      const valueStart = this.addresses.plain(p, ranges, at);
      if (valueStart < 0 || compareWords(ranges, at, ranges, at + width, width) > 0) break;
      this.starts[row] = p;
      this.valueStarts[row] = valueStart;
      this.lineEnds[row] = lineEnd;
      this.hashes[row] = hashBytes(view, valueStart, lineEnd);
      p = lineEnd + 1;
    }
    this.count = row;
    this.texts.prefetch(this.hashes, row);
  }

  startOf(row: number): number {
    return this.starts[row]!;
  }

  endOf(row: number): number {
    return this.lineEnds[row]! + 1;
  }

  rangeAt(row: number): number {
    return row * RANGE_WORDS;
  }

  payloadOf(row: number): number {
    const hash = this.hashes[row]!;
    const entry = this.texts.findHashed(hash, this.view, this.valueStarts[row]!, this.lineEnds[row]!);
    return entry < 0 ? -1 : this.payloads.at(entry);
  }

  keep(row: number, payload: number): void {
    if (this.texts.byteLength > MAX_BYTES) return;
    const entry = this.texts.intern(this.bytes, this.view, this.valueStarts[row]!, this.lineEnds[row]!);
    if (entry === this.payloads.length) this.payloads.push(payload);
  }
}
