import { compareWords, copyWords } from '../address/address-words.js';
import { refusal } from '../address/input-format.js';
import { CellReader } from '../csv/cell-reader.js';
import { FILE_START_BYTES, readFileStart } from '../csv/file-start.js';
import { FieldBounds, INCOMPLETE, scanRecord, UNCLOSED_QUOTE } from '../csv/scan-record.js';
import type { ScannedRun } from '../scan/block-scanner.js';
import { type RowFormat, RowScanner, type ScanProgram } from '../scan/row-scanner.js';
import type { OptionMessage } from '../messages/option-message.js';
import { AddressReader } from './address-reader.js';
import { BatchedRows } from './batched-rows.js';
import type { BuildPlan } from './build-plan.js';
import { type ViolationList, INVALID_UTF8 } from './input-violations.js';
import type { RowValues } from './row-values.js';
import type { RowsAhead } from './rows-ahead.js';
import { ScannedRows } from './scanned-rows.js';
import { TableColumns } from './table-columns.js';
import type { TextPayloads } from './text-payloads.js';

/** Maximum row length in bytes. */
export const MAX_ROW_BYTES = 1 << 20;

const PIECE_BYTES = 1 << 20;

/** A row, a piece of the input and an LF. */
const INPUT_BYTES = MAX_ROW_BYTES + PIECE_BYTES + 8;

/** Rows scanned in one go. */
const ROWS_PER_SCAN = 1 << 12;

const LF = 10;
const CR = 13;

/** Receives valid rows. */
export interface RowSink {
  /**
   * @param range first and last address, of the format's width each, in order
   * @param payload see `payloadOf`
   * @param line 1-based line on which the row starts
   */
  add(range: Uint32Array, payload: number, line: number): void;
}

/**
 * Reads a CSV file given in chunks.
 *
 * Most rows repeat the values of an earlier row byte for byte. The fast path therefore parses only the two addresses
 * and looks up the rest of the line among texts seen before, many rows at a time. Only new texts and rows not in plain
 * form go through the RFC 4180 scanner and all checks, whose result is cached by the text.
 */
export class RowReader {
  private readonly bytes: Buffer;
  private readonly fields = new FieldBounds();
  private readonly cells: CellReader;
  private readonly range = new Uint32Array(8);
  private readonly columns: TableColumns;
  private readonly addresses: AddressReader;
  private readonly scanner: RowScanner | undefined;
  /** Set once the columns are known. */
  private ahead: RowsAhead | undefined;
  /** How the rows are scanned; `undefined` if they are not, or not yet. */
  private format: RowFormat | undefined;
  /** The payload of the last row, or -1 if it is invalid. */
  private payload = -1;
  private length = 0;
  /** 1-based line of the current row. */
  private line = 0;
  private atStart = true;
  /** True while skipping the rest of an overlong row. */
  private skippingRow = false;

  /** @param program scans the rows; without it, or without the memory for it, they are read in JavaScript alone */
  constructor(
    private readonly plan: BuildPlan,
    private readonly rows: RowSink,
    private readonly violations: ViolationList,
    program?: ScanProgram,
  ) {
    this.scanner = program && RowScanner.create(program, INPUT_BYTES, ROWS_PER_SCAN);
    this.bytes = this.scanner?.input ?? Buffer.alloc(INPUT_BYTES);
    this.cells = new CellReader(this.bytes, this.fields);
    this.columns = new TableColumns(plan, violations);
    this.addresses = new AddressReader(this.bytes, this.fields, this.columns, plan.separator);
  }

  /** Processes the next bytes, split anywhere. @throws {LookupInputError} if the whole file is invalid */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const size = Math.min(PIECE_BYTES, chunk.length - at);
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

  /** How other scanners can read the rows from here on; `undefined` while the input is within a row, or if they cannot. */
  get rowFormat(): RowFormat | undefined {
    return this.length === 0 && !this.skippingRow ? this.format : undefined;
  }

  /**
   * Passes on rows that another scanner found where the input read so far ends.
   *
   * @param payloads of the scanner's texts, which are completed
   */
  addRows({ rows, bytes }: ScannedRun, payloads: TextPayloads): void {
    const { range } = this;
    const words = 2 * this.columns.format.width;
    const stride = words + 2;
    for (let at = 0; at < rows.length; at += stride) {
      const text = rows[at + words]!;
      const payload = payloads.of(text);
      if (payload < 0) {
        this.push(bytes.subarray(rows[at + words + 1], rows[at + stride + words + 1]));
        payloads.set(text, this.payload);
        continue;
      }
      this.line++;
      copyWords(rows, at, range, 0, words);
      this.rows.add(range, payload, this.line);
    }
  }

  private read(final: boolean): void {
    let p = this.atStart ? this.firstRow(final) : 0;
    const { bytes, length } = this;
    bytes[length] = LF;
    while (p >= 0 && p < length) {
      const next = this.skippingRow ? this.passOver(p, final) : this.someRows(p, final);
      if (next === INCOMPLETE) break;
      p = next;
    }
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
    const { bytes } = this;
    if (this.columns.values !== undefined) {
      const ahead = (this.ahead ??= this.rowsAhead());
      ahead.find(p, this.length, final);
      if (ahead.count > 0) return this.plainRows(ahead, final);
    }
    const lineEnd = bytes.indexOf(LF, p);
    if (lineEnd >= this.length && !final) return INCOMPLETE;
    if (!isBlank(bytes, p, lineEnd)) return this.unusualRow(p, final);
    this.line++;
    return lineEnd + 1;
  }

  private rowsAhead(): RowsAhead {
    const { scanner, bytes, addresses, columns } = this;
    const { name, width } = columns.format;
    const format = { name, width, separator: addresses.separator };
    if (!scanner?.configure(format)) return new BatchedRows(bytes, addresses, width);
    this.format = format;
    return new ScannedRows(scanner);
  }

  /**
   * Passes on the rows found ahead. A new text may turn out to continue beyond its line, which invalidates the rows that
   * follow it.
   *
   * @returns where the next row starts, or `INCOMPLETE` if the first one does not end
   */
  private plainRows(ahead: RowsAhead, final: boolean): number {
    const { range } = this;
    const words = 2 * this.columns.format.width;
    const { count, ranges } = ahead;
    for (let row = 0; row < count; row++) {
      const payload = ahead.payloadOf(row);
      if (payload < 0) {
        const start = ahead.startOf(row);
        const next = this.unusualRow(start, final);
        if (next === INCOMPLETE && row > 0) return start;
        if (next !== ahead.endOf(row)) return next;
        if (this.payload >= 0) ahead.keep(row, this.payload);
        continue;
      }
      this.line++;
      this.payload = payload;
      copyWords(ranges, ahead.rangeAt(row), range, 0, words);
      this.rows.add(range, payload, this.line);
    }
    return ahead.endOf(count - 1);
  }

  /** Reads a row with all checks. */
  private unusualRow(p: number, final: boolean): number {
    const next = scanRecord(this.bytes, p, this.length, final, this.addresses.separator, this.fields);
    if (next === INCOMPLETE || (next === UNCLOSED_QUOTE && !final)) return INCOMPLETE;
    this.line++;
    this.payload = -1;
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

  /** Checks a scanned row and passes it on. */
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
    this.payload = payload;
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

  private violation(reason: string | OptionMessage, column?: string, text?: string): void {
    this.violations.add(this.line, reason, column, text);
  }
}

/** True for an empty line. */
function isBlank(bytes: Uint8Array, start: number, lineEnd: number): boolean {
  return lineEnd === start || (lineEnd === start + 1 && bytes[start] === CR);
}
