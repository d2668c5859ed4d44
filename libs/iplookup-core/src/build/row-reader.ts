import { FILE_START_BYTES, readFileStart } from '../csv/file-start.js';
import { INCOMPLETE } from '../csv/scan-record.js';
import type { NumberedPiece } from '../scan/numbered-rows.js';
import { type PlainRowScanner, RowScanner } from '../scan/row-scanner.js';
import type { BuildPlan, EmptyRowRule } from './build-plan.js';
import { CheckedRows } from './checked-rows.js';
import type { ViolationList } from './input-violations.js';
import { PortableScanner } from './portable-scanner.js';
import { BUFFER_BYTES, MAX_ROW_BYTES, PIECE_BYTES, RowBuffer } from './row-buffer.js';
import type { RowSink } from './row-sink.js';
import type { RowValues } from './row-values.js';
import { TableColumns } from './table-columns.js';
import { TextReader } from './text-reader.js';

const LF = 10;

const DROP_RULES: Readonly<Record<EmptyRowRule, number>> = { none: 0, all: 1, any: 2 };

/** Smaller inputs are read before the engine would have started. */
export const ENGINE_FROM_BYTES = 1 << 20;

/**
 * Reads a CSV file given in chunks.
 *
 * Most rows repeat the values of an earlier row byte for byte. A scanner therefore parses only the two addresses and looks
 * up the rest of the line among texts seen before. Only new texts and rows not in plain form go through the RFC 4180
 * scanner and all checks, whose result is cached by the text.
 */
export class RowReader {
  private readonly columns: TableColumns;
  private readonly checked: CheckedRows;
  private text: RowBuffer;
  private scanner: PlainRowScanner;
  private engineStarted = false;
  /** The engine, until it reads the values of new texts, too. */
  private engine: RowScanner | undefined;
  /** The engine, if another thread reads rows, too. */
  private shared: RowScanner | undefined;
  private pushedBytes = 0;
  private atStart = true;
  /** True while skipping the rest of an overlong row. */
  private skippingRow = false;
  private texts: TextReader | undefined;

  constructor(
    private readonly plan: BuildPlan,
    private readonly rows: RowSink,
    private readonly violations: ViolationList,
    private readonly engineFromBytes = ENGINE_FROM_BYTES,
    private readonly isShared = false,
  ) {
    this.columns = new TableColumns(plan, violations);
    this.checked = new CheckedRows(plan, this.columns, rows, violations);
    // Not cleared: most files are smaller, and clearing 2 MiB would be most of the work of a small one.
    this.text = new RowBuffer(Buffer.allocUnsafeSlow(BUFFER_BYTES), this.columns, plan.separator);
    this.scanner = new PortableScanner(this.text, this.columns, rows);
  }

  /** Bytes of the input so far. */
  get bytesRead(): number {
    return this.pushedBytes;
  }

  /** Processes the next bytes, split anywhere. @throws {LookupInputError} if the whole file is invalid */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const size = Math.min(PIECE_BYTES, chunk.length - at);
      this.pushedBytes += size;
      if (!this.engineStarted && this.pushedBytes >= this.engineFromBytes) this.startEngine();
      this.text.bytes.set(chunk.subarray(at, at + size), this.text.length);
      this.text.length += size;
      at += size;
      this.read(false);
    }
  }

  /** Where the next bytes may be written, to be announced with {@link RowReader.pushed}. */
  get room(): Buffer {
    const { bytes, length } = this.text;
    return bytes.subarray(length, length + PIECE_BYTES);
  }

  /** Processes bytes that are in the {@link room}. @throws {LookupInputError} if the whole file is invalid */
  pushed(size: number): void {
    this.pushedBytes += size;
    this.text.length += size;
    if (!this.engineStarted && this.pushedBytes >= this.engineFromBytes) this.startEngine();
    this.read(false);
  }

  /** True if all bytes so far are read, and the values of rows of another thread can be. */
  get canAdd(): boolean {
    const isBetweenRows = !this.atStart && !this.skippingRow && this.text.length === 0;
    return isBetweenRows && this.shared !== undefined && this.columns.values !== undefined;
  }

  /** Finds the payloads of a piece's texts. Call it for each piece of the other thread, in order, once {@link canAdd}. */
  learn(piece: NumberedPiece): void {
    const values = this.columns.values!;
    if (this.engine !== undefined) this.passColumns(this.engine, values);
    this.texts ??= new TextReader(this.columns, this.text.separator);
    const texts = this.texts;
    this.shared!.learn(piece, (text) => texts.payloadOf(text, values));
  }

  /** Adds rows that follow those so far. @returns false if some are invalid, and none was added */
  add(piece: NumberedPiece): boolean {
    if (!this.shared!.add(piece, this.checked.line)) return false;
    this.passScanned();
    this.checked.line += piece.ipv4 + piece.ipv6;
    this.pushedBytes += piece.to - piece.from;
    return true;
  }

  /** The values, once the columns are known. */
  get values(): RowValues | undefined {
    return this.columns.values;
  }

  /** Byte between fields, which the file may declare. */
  get separator(): number {
    return this.text.separator;
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

  /** Memory that is no longer needed after the end. */
  get spare(): Uint32Array | undefined {
    return this.scanner.end?.();
  }

  /** The engine reads from a buffer of its own. */
  private startEngine(): void {
    this.engineStarted = true;
    const scanner = scannerOf(this.plan, this.rows, this.isShared);
    if (scanner === undefined) return;
    if (this.isShared) this.shared = scanner;
    const { bytes, length, separator } = this.text;
    const text = new RowBuffer(scanner.input(BUFFER_BYTES), this.columns, separator);
    text.bytes.set(bytes.subarray(0, length));
    text.length = length;
    this.text = text;
    this.scanner = this.engine = scanner;
  }

  private read(final: boolean): void {
    let p = this.atStart ? this.firstRow(final) : 0;
    const { text } = this;
    text.bytes[text.length] = LF;
    this.scanner.begin(text.length, final, text.separator);
    this.checked.begin();
    while (p >= 0 && p < text.length) {
      const next = this.skippingRow ? this.passOver(p, final) : this.someRows(p, final);
      if (next !== INCOMPLETE) p = next;
      else if (text.length - p > MAX_ROW_BYTES) p = this.refuseLongRow(p);
      else break;
    }
    this.passScanned();
    this.keep(Math.max(p, 0));
  }

  /** Moves the remaining bytes to the front. */
  private keep(p: number): void {
    const { text } = this;
    text.bytes.copyWithin(0, p, text.length);
    text.length = Math.max(0, text.length - p);
  }

  /** @returns where to read on */
  private refuseLongRow(p: number): number {
    const lineEnd = this.checked.refuseLong(this.text, p);
    this.skippingRow = lineEnd >= this.text.length;
    return lineEnd + 1;
  }

  private passOver(p: number, final: boolean): number {
    const lineEnd = this.text.bytes.indexOf(LF, p);
    this.skippingRow = lineEnd >= this.text.length && !final;
    return lineEnd + 1;
  }

  /** @returns where the first row starts, or `INCOMPLETE` if more bytes are needed */
  private firstRow(final: boolean): number {
    const { text } = this;
    if (text.length < FILE_START_BYTES && !final) return INCOMPLETE;
    this.atStart = false;
    const start = readFileStart(text.bytes, text.length);
    if (typeof start === 'string')
      throw this.violations.fatal(
        undefined,
        `is UTF-16 text: save it as UTF-8, such as with iconv -f ${start} -t UTF-8`,
      );
    if (start.separator !== undefined) {
      text.addresses.separator = start.separator;
      this.checked.line++;
    }
    return start.next;
  }

  /**
   * Reads rows with the scanner, and then one that it does not read.
   *
   * @returns where the next row starts, or `INCOMPLETE` if the row at `p` does not end
   */
  private someRows(p: number, final: boolean): number {
    const { text, scanner, checked } = this;
    const { values } = this.columns;
    if (values === undefined) return checked.read(text, p, final, scanner);
    if (this.engine !== undefined) this.passColumns(this.engine, values);
    const at = scanner.scan(p, checked.line);
    checked.line = scanner.line;
    // Rows stay in order.
    this.passScanned();
    if (at >= text.length || scanner.needsRoom) return at;
    const next = checked.read(text, at, final, scanner);
    return next === INCOMPLETE && at > p ? at : next;
  }

  private passColumns(engine: RowScanner, { plain, records }: RowValues): void {
    if (plain !== undefined) engine.readValues(plain, records);
    this.engine = undefined;
  }

  private passScanned(): void {
    this.scanner.take((rows) => this.rows.addScanned!(rows));
  }
}

/** The scanner, if it reads the plan's addresses and its rows can be passed on together. */
function scannerOf(
  { format, dropEmptyRows, forceIpv4 }: BuildPlan,
  rows: RowSink,
  isShared: boolean,
): RowScanner | undefined {
  if (rows.addScanned === undefined || (forceIpv4 && format.width === 4)) return undefined;
  if (format.name !== 'ipv4-int' && format.name !== 'ipv6-int') return undefined;
  return RowScanner.start(format.width === 4, DROP_RULES[dropEmptyRows], isShared);
}
