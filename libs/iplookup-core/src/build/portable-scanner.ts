import { compareWords, copyWords } from '../address/address-words.js';
import type { PlainRowScanner } from '../scan/row-scanner.js';
import { ByteTable, hashBytes } from '../values/byte-table.js';
import { Uint32List } from '../values/uint32-list.js';
import type { RowBuffer } from './row-buffer.js';
import type { RowSink } from './row-sink.js';
import type { TableColumns } from './table-columns.js';

/** Memory limit of the cached texts. */
const MAX_BYTES = 192 << 20;

/** Rows read ahead. */
const ROWS = 32;

/** Words per range: two addresses of up to four words. */
const RANGE_WORDS = 8;

const LF = 10;

/**
 * The scanner in JavaScript, for every format. It reads rows before it looks up their texts: what to compare these with
 * is scattered over more memory than the CPU caches hold, and lookups in batches overlap their cache misses.
 */
export class PortableScanner implements PlainRowScanner {
  readonly needsRoom = false;
  line = 0;
  private final = false;
  private readonly texts = new ByteTable();
  private readonly payloads = new Uint32List();
  private readonly range = new Uint32Array(RANGE_WORDS);
  private count = 0;
  private row = 0;
  /** Where each row starts, its values start, and its line ends. */
  private readonly starts = new Int32Array(ROWS);
  private readonly valueStarts = new Int32Array(ROWS);
  private readonly lineEnds = new Int32Array(ROWS);
  private readonly hashes = new Uint32Array(ROWS);
  private readonly ranges = new Uint32Array(ROWS * RANGE_WORDS);

  constructor(
    private readonly text: RowBuffer,
    private readonly columns: TableColumns,
    private readonly rows: RowSink,
  ) {}

  begin(_length: number, final: boolean): void {
    this.final = final;
    this.count = this.row = 0;
  }

  scan(from: number, line: number): number {
    this.line = line;
    let p = from;
    if (this.row >= this.count || this.starts[this.row] !== p) this.readAhead(p);
    for (; this.count > 0; this.readAhead(p)) {
      for (; this.row < this.count; this.row++) {
        const { row, starts, valueStarts, lineEnds } = this;
        const payload = this.find(this.hashes[row]!, valueStarts[row]!, lineEnds[row]!);
        if (payload < 0) {
          this.row++;
          return starts[row]!;
        }
        this.pass(row, payload);
        p = lineEnds[row]! + 1;
      }
    }
    return p;
  }

  keep(start: number, lineEnd: number, payload: number): void {
    if (this.texts.byteLength > MAX_BYTES) return;
    const entry = this.texts.intern(this.text.bytes, this.text.view, start, lineEnd);
    if (entry === this.payloads.length) this.payloads.push(payload);
  }

  /** Rows were passed on already. */
  take(): void {
    return;
  }

  /** Fills the batch with rows in plain form. */
  private readAhead(start: number): void {
    const { text, ranges } = this;
    const { format } = this.columns;
    let count = 0;
    for (let p = start; count < ROWS && p < text.length; count++) {
      const lineEnd = text.bytes.indexOf(LF, p);
      if (lineEnd >= text.length && !this.final) break;
      const at = count * RANGE_WORDS;
      const valueStart = text.addresses.plain(p, ranges, at);
      if (valueStart < 0 || compareWords(ranges, at, ranges, at + format.width, format.width) > 0) break;
      this.starts[count] = p;
      this.valueStarts[count] = valueStart;
      this.lineEnds[count] = lineEnd;
      this.hashes[count] = hashBytes(text.view, valueStart, lineEnd);
      p = lineEnd + 1;
    }
    this.count = count;
    this.row = 0;
    this.texts.prefetch(this.hashes, count);
  }

  /** @returns the payload of a text with this hash, or -1 if the text is new */
  private find(hash: number, start: number, lineEnd: number): number {
    const entry = this.texts.findHashed(hash, this.text.view, start, lineEnd);
    return entry < 0 ? -1 : this.payloads.at(entry);
  }

  private pass(row: number, payload: number): void {
    this.line++;
    copyWords(this.ranges, row * RANGE_WORDS, this.range, 0, 2 * this.columns.format.width);
    this.rows.add(this.range, payload, this.line);
  }
}
