import type { FieldBounds } from '../csv/scan-record.js';
import type { TableColumns } from './table-columns.js';

const QUOTE = 34;

/** Reads the addresses at the start of a row. */
export class AddressReader {
  constructor(
    private readonly bytes: Buffer,
    private readonly fields: FieldBounds,
    private readonly columns: TableColumns,
    /** Byte between fields. */
    public separator: number,
  ) {}

  /**
   * Reads unquoted addresses, before the row's fields are known.
   *
   * @returns where they end, or a negative number if they are not in plain form
   */
  plain(p: number, out: Uint32Array, at: number): number {
    const after = this.plainCell(p, out, at);
    const { addressColumns, width } = this.columns.format;
    if (addressColumns === 1 || after < 0) return after;
    return this.bytes[after] === this.separator ? this.plainCell(after + 1, out, at + width) : -1;
  }

  private plainCell(p: number, out: Uint32Array, at: number): number {
    const { bytes } = this;
    const { format } = this.columns;
    if (bytes[p] !== QUOTE) return format.parse(bytes, p, out, at);
    const end = format.parse(bytes, p + 1, out, at);
    return end >= 0 && bytes[end] === QUOTE ? end + 1 : -1;
  }

  /** Reads a field's address, which may be surrounded by blanks. @returns the parser's error code if there is none */
  field(column: number, out: Uint32Array): 'read' | number {
    const { bytes, fields } = this;
    const { format } = this.columns;
    let start = fields.starts[column]!;
    let stop = fields.ends[column]!;
    while (start < stop && isSpace(bytes[start])) start++;
    while (start < stop && isSpace(bytes[stop - 1])) stop--;
    const end = format.parse(bytes, start, out, column * format.width);
    return end === stop && fields.escaped[column] === 0 ? 'read' : end;
  }
}

/** A blank or a tab. */
function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9;
}
