import { CsvRecords } from './csv-records.js';
import { encodeCells } from './encode-cells.js';
import { InputPlaces } from '../rows/input-places.js';

const LF = 10;
const QUOTE = 34;

/**
 * Turns several CSV files with headers into the text of one. Each row keeps its lines, so that {@link places} can tell
 * its origin. Columns of later files are matched by name.
 */
export class TableCombiner {
  readonly places = new InputPlaces();
  /** Names of the first file's columns. */
  private header: readonly string[] | undefined;
  private records: CsvRecords;
  private awaitsHeader = true;
  /** Positions of the first file's columns in the current file, unless in the same order. */
  private order: readonly number[] | undefined;
  /** Lines in the previous files. */
  private linesBefore = 0;
  /** Lines of the current file. */
  private linesWritten = 0;
  private output = Buffer.allocUnsafeSlow(1 << 21);
  private length = 0;

  constructor(private readonly separator: number) {
    this.records = this.recordsOf('');
  }

  /** Starts the next file. */
  begin(file: string): void {
    this.places.begin(file, this.linesBefore);
    this.records = this.recordsOf(file);
    this.awaitsHeader = true;
    this.order = undefined;
    this.linesWritten = 0;
  }

  /** @returns the text so far, valid until the next call @throws {LookupInputError} if the columns differ */
  push(chunk: Uint8Array): Uint8Array {
    this.length = 0;
    this.records.push(chunk);
    return this.output.subarray(0, this.length);
  }

  /** Ends the file. */
  end(): Uint8Array {
    this.length = 0;
    this.records.end();
    this.writeLinesUpTo(this.records.line);
    this.linesBefore += this.linesWritten;
    return this.output.subarray(0, this.length);
  }

  private recordsOf(file: string): CsvRecords {
    return new CsvRecords(file, this.separator, (start) => this.take(start));
  }

  private take(start: number): void {
    const { records } = this;
    if (records.isBlank) return;
    this.writeLinesUpTo(records.line);
    if (!this.awaitsHeader) this.writeRow(start);
    else this.takeHeader(records.cells.texts());
  }

  private takeHeader(names: readonly string[]): void {
    this.awaitsHeader = false;
    if (this.header === undefined) {
      this.header = names;
      this.write(Buffer.from(encodeCells(names, this.separator)));
      this.endRow();
    } else this.order = this.orderOf(this.header, names);
  }

  private orderOf(wanted: readonly string[], names: readonly string[]): readonly number[] | undefined {
    const places = new Map(names.map((name, index) => [name, index]));
    const missing = wanted.find((name) => !places.has(name));
    if (missing !== undefined)
      throw this.records.fatal(`has no column ${JSON.stringify(missing)}, which ${this.firstFile} has`);
    const unused = new Set(wanted);
    const added = names.findIndex((name) => !unused.delete(name));
    if (added >= 0)
      throw this.records.fatal(
        `is not a column of ${this.firstFile}, or occurs twice`,
        String(added + 1),
        names[added],
      );
    return wanted.every((name, index) => names[index] === name)
      ? undefined
      : wanted.map((name) => places.get(name)!);
  }

  private get firstFile(): string {
    return this.places.of(1).file;
  }

  private writeRow(start: number): void {
    const { order, records } = this;
    const { count } = records.fields;
    // A row with a wrong number of columns is left to the builder.
    if (order === undefined || count !== order.length) this.copy(start, this.fieldEnd(count - 1));
    else
      for (const [index, field] of order.entries()) {
        if (index > 0) this.writeByte(this.separator);
        this.copy(this.fieldStart(field), this.fieldEnd(field));
      }
    this.endRow();
  }

  private endRow(): void {
    this.writeByte(LF);
    this.linesWritten += this.records.lines;
  }

  /** With its quotes. */
  private fieldStart(field: number): number {
    return this.records.fields.starts[field]! - (this.isQuoted(field) ? 1 : 0);
  }

  private fieldEnd(field: number): number {
    return this.records.fields.ends[field]! + (this.isQuoted(field) ? 1 : 0);
  }

  /** An unquoted field cannot follow a quote: a separator or line break is in between. */
  private isQuoted(field: number): boolean {
    const start = this.records.fields.starts[field]!;
    return start > 0 && this.records.bytes[start - 1] === QUOTE;
  }

  private copy(start: number, end: number): void {
    this.reserve(end - start);
    this.records.bytes.copy(this.output, this.length, start, end);
    this.length += end - start;
  }

  private write(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.output.set(bytes, this.length);
    this.length += bytes.length;
  }

  private writeByte(byte: number): void {
    this.reserve(1);
    this.output[this.length++] = byte;
  }

  /** Blank lines in place of the file's lines that are not rows. */
  private writeLinesUpTo(line: number): void {
    for (; this.linesWritten < line - 1; this.linesWritten++) this.writeByte(LF);
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.output.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * (this.length + bytes));
    this.output.copy(grown, 0, 0, this.length);
    this.output = grown;
  }
}
