import type { LookupInputError } from '../build/input-violations.js';
import { ViolationList } from '../build/input-violations.js';
import { CellReader } from '../csv/cell-reader.js';
import { FILE_START_BYTES, readFileStart } from '../csv/file-start.js';
import { FieldBounds, INCOMPLETE, scanRecord, UNCLOSED_QUOTE } from '../csv/scan-record.js';

/** Longer rows are rejected. */
const MAX_RECORD_BYTES = 1 << 20;
const PIECE_BYTES = 1 << 20;
const LF = 10;
const CR = 13;

/** Splits a CSV file given in chunks into records. Blank lines are passed on as records of one empty field. */
export class CsvRecords {
  readonly bytes = Buffer.allocUnsafeSlow(MAX_RECORD_BYTES + PIECE_BYTES + 8);
  readonly fields = new FieldBounds();
  readonly cells = new CellReader(this.bytes, this.fields);
  /** 1-based line on which the current record starts. */
  line = 1;
  /** Lines that the current record takes. */
  lines = 1;
  /** True if the current record is a blank line. */
  isBlank = false;
  private length = 0;
  private atStart = true;

  /**
   * @param file its name in messages
   * @param separator byte between fields; Excel's first line must not name another
   * @param onRecord is called with the bounds of each record, including its line break
   */
  constructor(
    private readonly file: string,
    private readonly separator: number,
    private readonly onRecord: (start: number, next: number) => void,
  ) {}

  /** @throws {LookupInputError} if the file is not CSV */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      this.bytes.set(piece, this.length);
      this.length += piece.length;
      this.read(false);
    }
  }

  /** Ends the file. @throws {LookupInputError} */
  end(): void {
    this.read(true);
  }

  /** An error about the current record. */
  fatal(reason: string, column?: string, text?: string): LookupInputError {
    return new ViolationList(this.file).fatal(this.line, reason, column, text);
  }

  private read(final: boolean): void {
    let p = this.atStart ? this.firstRecord(final) : 0;
    while (p >= 0 && p < this.length) {
      const next = this.scan(p, final);
      if (next === INCOMPLETE) break;
      this.isBlank = isBlank(this.bytes, p, next);
      this.lines = this.linesIn(p, next);
      this.onRecord(p, next);
      this.line += this.lines;
      p = next;
    }
    const kept = Math.max(0, this.length - Math.max(p, 0));
    if (kept > MAX_RECORD_BYTES) throw this.fatal('the row is longer than 1 MiB, or a quote is not closed');
    this.bytes.copyWithin(0, this.length - kept, this.length);
    this.length = kept;
  }

  private scan(p: number, final: boolean): number {
    const next = scanRecord(this.bytes, p, this.length, final, this.separator, this.fields);
    if (next >= 0 || next === INCOMPLETE) return next;
    if (next === UNCLOSED_QUOTE && !final) return INCOMPLETE;
    const reason = next === UNCLOSED_QUOTE ? 'a quote is not closed' : 'text follows a closing quote';
    const lineEnd = this.bytes.indexOf(LF, p);
    const end = lineEnd < 0 || lineEnd > this.length ? this.length : lineEnd;
    throw this.fatal(reason, undefined, this.bytes.toString('utf8', p, Math.min(end, p + 200)));
  }

  private linesIn(p: number, next: number): number {
    let lines = 0;
    for (let at = p; at < next; lines++) {
      const lineEnd = this.bytes.indexOf(LF, at);
      at = lineEnd < 0 || lineEnd >= next ? next : lineEnd + 1;
    }
    return lines;
  }

  private firstRecord(final: boolean): number {
    if (this.length < FILE_START_BYTES && !final) return INCOMPLETE;
    this.atStart = false;
    const start = readFileStart(this.bytes, this.length);
    if (typeof start === 'string') throw this.fatal(`is UTF-16 text: save it as UTF-8`);
    if (start.separator === undefined) return start.next;
    if (start.separator !== this.separator)
      throw this.fatal('names a separator other than the one of all files');
    this.line++;
    return start.next;
  }
}

function isBlank(bytes: Uint8Array, p: number, next: number): boolean {
  return bytes[p] === LF || (bytes[p] === CR && next === p + 2);
}
