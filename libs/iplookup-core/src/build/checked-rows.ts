import { compareWords } from '../address/address-words.js';
import { refusal } from '../address/input-format.js';
import type { CellReader } from '../csv/cell-reader.js';
import { INCOMPLETE, scanRecord, TEXT_AFTER_QUOTE, UNCLOSED_QUOTE } from '../csv/scan-record.js';
import { optionMessage, type OptionMessage } from '../messages/option-message.js';
import type { PlainRowScanner } from '../scan/row-scanner.js';
import type { BuildPlan } from './build-plan.js';
import { CARRIAGE_RETURN } from './check-names.js';
import { INVALID_UTF8, type ViolationList } from './input-violations.js';
import { isNetworkRow, mayEndRange, NETWORK_AMONG_RANGES } from './range-columns.js';
import { MAX_ROW_BYTES, type RowBuffer } from './row-buffer.js';
import type { RowSink } from './row-sink.js';
import type { RowValues } from './row-values.js';
import type { TableColumns } from './table-columns.js';

const LF = 10;
const CR = 13;
const QUOTE = 34;

const TOO_LONG = 'the row is longer than 1 MiB';

/**
 * A record without a proper end. Within it, all line breaks are inside quotes. A record that starts on one of its lines,
 * and whose quotes are still open after that line, therefore goes on, and breaks, like this one.
 */
interface BrokenRecord {
  /** Result of the scan. */
  readonly code: number;
  /** Where in the buffer it ends. */
  readonly end: number;
}

/** Reads rows one by one, in any form, with all checks. */
export class CheckedRows {
  /** 1-based line of the last row. */
  line = 0;
  private readonly range = new Uint32Array(8);
  private broken: BrokenRecord | undefined;

  constructor(
    private readonly plan: BuildPlan,
    private readonly columns: TableColumns,
    private readonly rows: RowSink,
    private readonly violations: ViolationList,
  ) {}

  /** To be called when the buffer has more bytes, or has all. */
  begin(): void {
    this.broken = undefined;
  }

  /**
   * Reads the row at `p`, or passes over an empty line.
   *
   * @param scanner that remembers its values' text
   * @returns where the next row starts, or `INCOMPLETE` if it does not end
   */
  read(text: RowBuffer, p: number, final: boolean, scanner?: PlainRowScanner): number {
    const { bytes } = text;
    const lineEnd = bytes.indexOf(LF, p);
    if (lineEnd >= text.length && !final) return INCOMPLETE;
    if (lineEnd === p || (lineEnd === p + 1 && bytes[p] === CR)) {
      this.line++;
      return lineEnd + 1;
    }
    return this.readRecord(text, p, final, scanner);
  }

  /** Reports a row that is too long to be read. @returns where its line ends */
  refuseLong(text: RowBuffer, p: number): number {
    this.line++;
    const { bytes } = text;
    const quoted = this.scan(text, p, false) === UNCLOSED_QUOTE;
    const reason = quoted ? 'a quote is not closed within 1 MiB' : TOO_LONG;
    const lineEnd = bytes.indexOf(LF, p);
    this.tooLong(bytes, p, Math.min(lineEnd, text.length), reason);
    return lineEnd;
  }

  private readRecord(text: RowBuffer, p: number, final: boolean, scanner?: PlainRowScanner): number {
    const { bytes } = text;
    const next = this.scan(text, p, final);
    if (next === INCOMPLETE || (next === UNCLOSED_QUOTE && !final)) return INCOMPLETE;
    this.line++;
    if (next < 0) return this.malformedRow(text, p, next);
    if (next - p > MAX_ROW_BYTES) {
      this.tooLong(bytes, p, next, TOO_LONG);
    } else if (this.columns.values !== undefined || this.columns.take(text.cells, this.line)) {
      const payload = this.checkedRow(text, this.columns.values!, p, next);
      // Another row with these values may be a range.
      if (payload !== undefined && scanner && !this.hasSecondAddress(text))
        this.remember(text, p, next, payload, scanner);
    }
    for (let q = p; (q = bytes.indexOf(LF, q) + 1) < next;) this.line++;
    return next;
  }

  /** Without a header, no row can be read. The whole of a file without line feeds is its header. */
  private tooLong(bytes: Buffer, p: number, end: number, reason: string): void {
    const text = bytes.toString('utf8', p, Math.min(end, p + 200));
    if (!this.columns.awaitsHeader) return this.violation(reason, undefined, text);
    // The row may end with the CR of a CRLF.
    const isManyRows = /\r(?!\n|$)/.test(bytes.toString('latin1', p, end));
    throw this.violations.fatal(this.line, isManyRows ? CARRIAGE_RETURN : reason, undefined, text);
  }

  /** Scans each line once or twice, though every line of a broken record is the start of another. */
  private scan({ bytes, length, separator, fields }: RowBuffer, p: number, final: boolean): number {
    const { broken } = this;
    const lineEnd = bytes.indexOf(LF, p);
    if (broken !== undefined && lineEnd < broken.end) {
      const next = scanRecord(bytes, p, lineEnd + 1, false, separator, fields);
      return next === UNCLOSED_QUOTE ? broken.code : next;
    }
    const code = scanRecord(bytes, p, length, final, separator, fields);
    if (code < 0) {
      const end = code === TEXT_AFTER_QUOTE ? fields.ends[fields.count - 1]! : length;
      this.broken = { code, end };
    }
    return code;
  }

  /** A row with malformed quotes ends with its line. */
  private malformedRow({ bytes }: RowBuffer, p: number, code: number): number {
    const lineEnd = bytes.indexOf(LF, p);
    const text = bytes.toString('utf8', p, Math.min(lineEnd, p + 200));
    const reason = code === UNCLOSED_QUOTE ? 'a quote is not closed' : 'text follows a closing quote';
    if (this.columns.values === undefined && this.plan.columns === undefined)
      throw this.violations.fatal(this.line, reason, undefined, text);
    this.violation(reason, undefined, text);
    return lineEnd + 1;
  }

  /** Checks a scanned row and passes it on. @returns the payload of its values, unless it is invalid */
  private checkedRow(text: RowBuffer, values: RowValues, p: number, next: number): number | undefined {
    const { cells, fields, bytes } = text;
    const expected = values.columns.length + this.columns.format.addressColumns;
    if (fields.count !== expected) {
      const row = bytes.toString('utf8', p, Math.min(next, p + 200)).trimEnd();
      return this.violation(`has ${fields.count} columns, but ${expected} are expected`, undefined, row);
    }
    const invalid = cells.invalidUtf8();
    if (invalid >= 0) return this.violation(INVALID_UTF8, this.columns.nameOf(invalid), cells.text(invalid));
    if (!this.checkAddresses(text)) return undefined;
    if (this.hasSecondAddress(text) && text.addresses.isAddress(0))
      this.columns.refuseRange(cells, this.line);
    const payload = values.read(cells);
    if (typeof payload !== 'number') return this.violation(payload.reason, payload.column, payload.text);
    this.rows.add(this.range, payload, this.line);
    return payload;
  }

  private checkAddresses(row: RowBuffer): boolean {
    const { columns, range } = this;
    const { cells, addresses } = row;
    const { format } = columns;
    for (let column = 0; column < format.addressColumns; column++) {
      const end = addresses.field(column, range);
      if (end === 'read') continue;
      const text = cells.text(column);
      this.violation(this.addressRefusal(end, text, cells), columns.nameOf(column), text);
      return false;
    }
    if (addresses.isRange && compareWords(range, 0, range, format.width, format.width) <= 0) return true;
    const reason = format.addressColumns === 1 ? 'ends before it begins' : this.rangeViolation(row);
    this.violation(reason, columns.nameOf(0), cells.text(0));
    return false;
  }

  /** Read as networks, as the message of a format suggests, ranges in other rows would be single addresses. */
  private addressRefusal(code: number, text: string, cells: CellReader): string | OptionMessage {
    const { columns, plan } = this;
    const { format } = columns;
    const reason = (choice: typeof plan.choice) => refusal(format, code, text, choice);
    if (format.addressColumns === 1 || !isNetworkRow([text])) return reason(plan.choice);
    if (columns.haveRangeNames && mayEndRange(cells.texts()[1]))
      return optionMessage`${reason([])}${NETWORK_AMONG_RANGES}`;
    if (format.name !== 'auto') return reason(plan.choice);
    return optionMessage`${reason(plan.choice)}, if only the first column holds addresses`;
  }

  private hasSecondAddress({ addresses }: RowBuffer): boolean {
    return this.columns.mayHaveRanges && addresses.isAddress(1);
  }

  private rangeViolation({ cells, addresses }: RowBuffer): string {
    const second = `${this.columns.nameOf(1)} ${JSON.stringify(cells.text(1))}`;
    if (addresses.isRange) return `is after ${second}`;
    const [family, other] = cells.text(0).includes(':') ? ['IPv6', 'IPv4'] : ['IPv4', 'IPv6'];
    return `is ${family}, but ${second} is ${other}: a range needs two addresses of one family`;
  }

  /** Caches the payload for rows with identical text, unless a value contains a line break. */
  private remember(
    { bytes, fields }: RowBuffer,
    p: number,
    next: number,
    payload: number,
    scanner: PlainRowScanner,
  ): void {
    const lineEnd = bytes.indexOf(LF, p);
    if (lineEnd + 1 < next) return;
    const address = this.columns.format.addressColumns - 1;
    const start = fields.starts[address]!;
    const quoted = start > p && bytes[start - 1] === QUOTE;
    scanner.keep(fields.ends[address]! + (quoted ? 1 : 0), lineEnd, payload);
  }

  private violation(reason: string | OptionMessage, column?: string, text?: string): undefined {
    this.violations.add(this.line, reason, column, text);
  }
}
