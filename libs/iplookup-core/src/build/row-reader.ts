import { compareWords, copyWords } from '../address/address-words.js';
import { refusal } from '../address/input-format.js';
import { CellReader } from '../csv/cell-reader.js';
import { FILE_START_BYTES, readFileStart } from '../csv/file-start.js';
import { FieldBounds, INCOMPLETE, scanRecord, UNCLOSED_QUOTE } from '../csv/scan-record.js';
import { hashBytes } from '../values/byte-table.js';
import type { OptionMessage } from '../messages/option-message.js';
import { AddressReader } from './address-reader.js';
import { RowScanner, type ScannedRows } from '../scan/row-scanner.js';
import type { BuildPlan, EmptyRowRule } from './build-plan.js';
import { type ViolationList, INVALID_UTF8 } from './input-violations.js';
import { KnownValues, RowBatch } from './payload-cache.js';
import type { RowValues } from './row-values.js';
import { TableColumns } from './table-columns.js';

/** Maximum row length in bytes. */
export const MAX_ROW_BYTES = 1 << 20;

const PIECE_BYTES = 1 << 20;
const LF = 10;
const CR = 13;
const QUOTE = 34;

/** Receives valid rows. */
export interface RowSink {
  /**
   * @param range first and last address, of the format's width each, in order
   * @param payload see `payloadOf`
   * @param line 1-based line on which the row starts
   */
  add(range: Uint32Array, payload: number, line: number): void;
  /** Accepts many rows; without it, they are passed on one by one. */
  addScanned?(rows: ScannedRows): void;
}

const DROP_RULES: Readonly<Record<EmptyRowRule, number>> = { none: 0, all: 1, any: 2 };

/** Smaller inputs are read before the engine would have started. */
export const ENGINE_FROM_BYTES = 1 << 20;

const BUFFER_BYTES = MAX_ROW_BYTES + PIECE_BYTES + 8;

/**
 * Reads a CSV file given in chunks.
 *
 * Most rows repeat the values of an earlier row byte for byte. The fast path therefore parses only the two addresses
 * and looks up the rest of the line among texts seen before, in batches. Only new texts and rows not in plain form go
 * through the RFC 4180 scanner and all checks, whose result is cached by the text.
 */
export class RowReader {
  private bytes!: Buffer;
  private view!: DataView;
  private readonly fields = new FieldBounds();
  private cells!: CellReader;
  /** Undefined until it is worth its start, null where it cannot be used. */
  private scanner: RowScanner | null | undefined;
  private readonly known = new KnownValues();
  private readonly range = new Uint32Array(8);
  private readonly batch = new RowBatch();
  private readonly columns: TableColumns;
  private addresses!: AddressReader;
  private pushedBytes = 0;
  private length = 0;
  /** 1-based line of the current row. */
  private line = 0;
  private atStart = true;
  /** True while skipping the rest of an overlong row. */
  private skippingRow = false;

  constructor(
    private readonly plan: BuildPlan,
    private readonly rows: RowSink,
    private readonly violations: ViolationList,
    private readonly engineFromBytes = ENGINE_FROM_BYTES,
  ) {
    this.columns = new TableColumns(plan, violations);
    // Not cleared: most files are smaller, and clearing 2 MiB would be most of the work of a small one.
    this.useBuffer(Buffer.allocUnsafeSlow(BUFFER_BYTES), plan.separator);
  }

  /** Bytes of the input so far. */
  get bytesRead(): number {
    return this.pushedBytes;
  }

  /** Processes the next bytes, split anywhere. @throws {LookupInputError} if the whole file is invalid */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const size = Math.min(PIECE_BYTES, chunk.length - at);
      if (this.scanner === undefined && this.pushedBytes >= this.engineFromBytes) this.startScanner();
      this.pushedBytes += size;
      this.bytes.set(chunk.subarray(at, at + size), this.length);
      this.length += size;
      at += size;
      this.read(false);
    }
  }

  /**
   * Ends the input.
   *
   * @returns the rows' values
   * @throws {LookupInputError} if the whole file is invalid
   */
  end(): RowValues {
    this.read(true);
    return this.columns.end();
  }

  private useBuffer(bytes: Buffer, separator: number): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.cells = new CellReader(bytes, this.fields);
    this.addresses = new AddressReader(bytes, this.fields, this.columns, separator);
  }

  /** The scanner reads from a buffer of its own. */
  private startScanner(): void {
    const scanner = scannerOf(this.plan, this.rows);
    this.scanner = scanner ?? null;
    if (scanner === undefined) return;
    const bytes = scanner.input(BUFFER_BYTES);
    bytes.set(this.bytes.subarray(0, this.length));
    this.useBuffer(bytes, this.addresses.separator);
  }

  private read(final: boolean): void {
    let p = this.atStart ? this.firstRow(final) : 0;
    const { bytes, length } = this;
    bytes[length] = LF;
    this.scanner?.begin(length, final, this.addresses.separator);
    while (p >= 0 && p < length) {
      const next = this.skippingRow ? this.passOver(p, final) : this.someRows(p, final);
      if (next === INCOMPLETE) break;
      p = next;
    }
    this.passScanned();
    this.keep(Math.max(p, 0), final);
  }

  /** Moves the remaining bytes to the front, unless they exceed a row. */
  private keep(p: number, final: boolean): void {
    const left = this.skippingRow ? 0 : Math.max(0, this.length - p);
    if (left > MAX_ROW_BYTES && !final) {
      this.refuseLongRow(p);
      return;
    }
    this.bytes.copyWithin(0, p, p + left);
    this.length = left;
  }

  private refuseLongRow(p: number): void {
    this.line++;
    const quoted =
      scanRecord(this.bytes, p, this.length, false, this.addresses.separator, this.fields) === UNCLOSED_QUOTE;
    const reason = quoted ? 'a quote is not closed within 1 MiB' : 'the row is longer than 1 MiB';
    const lineEnd = this.bytes.indexOf(LF, p);
    this.violation(reason, undefined, this.bytes.toString('utf8', p, Math.min(lineEnd, p + 200)));
    this.skippingRow = lineEnd >= this.length;
    this.bytes.copyWithin(0, lineEnd + 1, this.length);
    this.length = Math.max(0, this.length - lineEnd - 1);
    if (this.length > 0) this.read(false);
  }

  private passOver(p: number, final: boolean): number {
    const lineEnd = this.bytes.indexOf(LF, p);
    if (lineEnd >= this.length && !final) return INCOMPLETE;
    this.skippingRow = false;
    return lineEnd + 1;
  }

  /** @returns where the first row starts, or `INCOMPLETE` if more bytes are needed */
  private firstRow(final: boolean): number {
    if (this.length < FILE_START_BYTES && !final) return INCOMPLETE;
    this.atStart = false;
    const start = readFileStart(this.bytes, this.length);
    if (typeof start === 'string')
      throw this.violations.fatal(
        undefined,
        `is UTF-16 text: save it as UTF-8, such as with iconv -f ${start} -t UTF-8`,
      );
    if (start.separator !== undefined) {
      this.addresses.separator = start.separator;
      this.line++;
    }
    return start.next;
  }

  /** Reads at least one row. @returns where the next one starts, or `INCOMPLETE` if the row at `p` does not end */
  private someRows(p: number, final: boolean): number {
    const { batch, scanner } = this;
    const isKnown = this.columns.values !== undefined;
    if (isKnown && scanner) return this.scanned(scanner, p, final);
    if (isKnown && this.readAhead(p, final) > p) return this.lookUp(final);
    batch.count = 0;
    return this.oneRow(p, final);
  }

  /** Reads rows with the scanner, and then one that it does not read. */
  private scanned(scanner: RowScanner, p: number, final: boolean): number {
    const at = scanner.scan(p, this.line);
    this.line = scanner.line;
    // Rows stay in order.
    this.passScanned();
    if (at >= this.length || scanner.needsRoom) return at;
    const next = this.oneRow(at, final);
    return next === INCOMPLETE && at > p ? at : next;
  }

  private oneRow(p: number, final: boolean): number {
    const lineEnd = this.bytes.indexOf(LF, p);
    if (lineEnd >= this.length && !final) return INCOMPLETE;
    if (!isBlank(this.bytes, p, lineEnd)) return this.unusualRow(p, final);
    this.line++;
    return lineEnd + 1;
  }

  private passScanned(): void {
    this.scanner?.take((rows) => this.rows.addScanned!(rows));
  }

  /** Fills the batch with rows in plain form. @returns where the next row starts */
  private readAhead(start: number, final: boolean): number {
    const { bytes, batch, view } = this;
    const { width } = this.columns.format;
    let p = start;
    for (batch.count = 0; !batch.full && p < this.length;) {
      const lineEnd = bytes.indexOf(LF, p);
      if (lineEnd >= this.length && !final) break;
      const at = batch.rangeAt(batch.count);
      const valueStart = this.addresses.plain(p, batch.ranges, at);
      if (valueStart < 0 || compareWords(batch.ranges, at, batch.ranges, at + width, width) > 0) break;
      batch.add(p, valueStart, lineEnd, hashBytes(view, valueStart, lineEnd));
      p = lineEnd + 1;
    }
    return p;
  }

  /**
   * Looks up and passes on the batch's rows. A new text may turn out to continue beyond its line, which invalidates
   * the rest of the batch.
   *
   * @returns where the next row starts, or `INCOMPLETE` if the first one does not end
   */
  private lookUp(final: boolean): number {
    const { batch, known, range, view } = this;
    known.prefetch(batch.hashes, batch.count);
    let next = 0;
    for (let row = 0; row < batch.count; row++) {
      const lineEnd = batch.lineEnds[row]!;
      const payload = known.find(batch.hashes[row]!, view, batch.valueStarts[row]!, lineEnd);
      if (payload < 0) {
        const start = batch.starts[row]!;
        next = this.unusualRow(start, final);
        if (next === INCOMPLETE && row > 0) return start;
        if (next !== lineEnd + 1) return next;
        continue;
      }
      this.line++;
      copyWords(batch.ranges, batch.rangeAt(row), range, 0, 2 * this.columns.format.width);
      this.rows.add(range, payload, this.line);
      next = lineEnd + 1;
    }
    return next;
  }

  /** Reads a row with all checks. */
  private unusualRow(p: number, final: boolean): number {
    const next = scanRecord(this.bytes, p, this.length, final, this.addresses.separator, this.fields);
    if (next === INCOMPLETE || (next === UNCLOSED_QUOTE && !final)) return INCOMPLETE;
    this.line++;
    if (next < 0) return this.malformedRow(p, next);
    if (next - p > MAX_ROW_BYTES) {
      this.violation('the row is longer than 1 MiB', undefined, this.bytes.toString('utf8', p, p + 200));
    } else if (this.columns.values !== undefined || this.columns.take(this.cells, this.line)) {
      this.checkedRow(this.columns.values!, p, next);
    }
    for (let q = p; (q = this.bytes.indexOf(LF, q) + 1) < next;) this.line++;
    return next;
  }

  /** A row with malformed quotes ends with its line. */
  private malformedRow(p: number, code: number): number {
    const lineEnd = this.bytes.indexOf(LF, p);
    const text = this.bytes.toString('utf8', p, Math.min(lineEnd, p + 200));
    const reason = code === UNCLOSED_QUOTE ? 'a quote is not closed' : 'text follows a closing quote';
    if (this.columns.values === undefined && this.plan.columns === undefined)
      throw this.violations.fatal(this.line, reason, undefined, text);
    this.violation(reason, undefined, text);
    return lineEnd + 1;
  }

  /** Checks a scanned row, passes it on and caches its values' text. */
  private checkedRow(values: RowValues, p: number, next: number): void {
    const { cells, fields, range } = this;
    const expected = values.columns.length + this.columns.format.addressColumns;
    if (fields.count !== expected) {
      const text = this.bytes.toString('utf8', p, Math.min(next, p + 200)).trimEnd();
      return this.violation(`has ${fields.count} columns, but ${expected} are expected`, undefined, text);
    }
    const invalid = cells.invalidUtf8();
    if (invalid >= 0) return this.violation(INVALID_UTF8, this.columns.nameOf(invalid), cells.text(invalid));
    if (!this.checkAddresses()) return;
    const payload = values.read(cells);
    if (typeof payload !== 'number') return this.violation(payload.reason, payload.column, payload.text);
    this.rows.add(range, payload, this.line);
    this.remember(p, next, payload);
  }

  private checkAddresses(): boolean {
    const { cells, columns, range } = this;
    const { format } = columns;
    for (let column = 0; column < format.addressColumns; column++) {
      const end = this.addresses.field(column, range);
      if (end === 'read') continue;
      const text = cells.text(column);
      this.violation(refusal(format, end, text, this.plan.choice), columns.nameOf(column), text);
      return false;
    }
    if (compareWords(range, 0, range, format.width, format.width) <= 0) return true;
    const reason =
      format.addressColumns === 1
        ? 'ends before it begins'
        : `is after ${columns.nameOf(1)} ${JSON.stringify(cells.text(1))}`;
    this.violation(reason, columns.nameOf(0), cells.text(0));
    return false;
  }

  /** Caches the payload for rows with identical text, unless a value contains a line break. */
  private remember(p: number, next: number, payload: number): void {
    const lineEnd = this.bytes.indexOf(LF, p);
    if (lineEnd + 1 < next) return;
    const address = this.columns.format.addressColumns - 1;
    const start = this.fields.starts[address]!;
    const quoted = start > p && this.bytes[start - 1] === QUOTE;
    const valueStart = this.fields.ends[address]! + (quoted ? 1 : 0);
    if (this.scanner) this.scanner.keep(valueStart, payload);
    else this.known.keep(this.bytes, this.view, valueStart, lineEnd, payload);
  }

  private violation(reason: string | OptionMessage, column?: string, text?: string): void {
    this.violations.add(this.line, reason, column, text);
  }
}

/** The scanner, if it reads the plan's addresses and its rows can be passed on together. */
function scannerOf({ format, dropEmptyRows, forceIpv4 }: BuildPlan, rows: RowSink): RowScanner | undefined {
  if (rows.addScanned === undefined || (forceIpv4 && format.width === 4)) return undefined;
  if (format.name !== 'ipv4-int' && format.name !== 'ipv6-int') return undefined;
  return RowScanner.start(format.width === 4, DROP_RULES[dropEmptyRows]);
}

/** True for an empty line. */
function isBlank(bytes: Uint8Array, start: number, lineEnd: number): boolean {
  return lineEnd === start || (lineEnd === start + 1 && bytes[start] === CR);
}
