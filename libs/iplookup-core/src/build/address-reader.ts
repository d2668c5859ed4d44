import type { FieldBounds } from '../csv/scan-record.js';
import type { AddressBytesParser } from '../address/parse-address-bytes.js';
import { isIpv6Text, parseAnyText } from '../address/parse-network-bytes.js';
import type { TableColumns } from './table-columns.js';

const QUOTE = 34;

const scratch = new Uint32Array(4);

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
    if (this.bytes[after] !== this.separator) return -1;
    const end = this.plainCell(after + 1, out, at + width);
    return this.isOneFamily(p, after, after + 1, end) ? end : -1;
  }

  /** Whether the addresses of a row in two fields are of one family. */
  get isRange(): boolean {
    const { starts, ends } = this.fields;
    return this.isOneFamily(starts[0]!, ends[0]!, starts[1]!, ends[1]!);
  }

  /** A range of an IPv4 and an IPv6 address would cover most of what lies between. Other formats read one family only. */
  private isOneFamily(first: number, firstEnd: number, second: number, secondEnd: number): boolean {
    const { bytes, columns } = this;
    if (columns.format.name !== 'auto') return true;
    return isIpv6Text(bytes, first, firstEnd) === isIpv6Text(bytes, second, secondEnd);
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
    const { parse, width } = this.columns.format;
    return this.fieldAs(parse, column, out, column * width);
  }

  /** Whether a field holds a single address as text, whatever the format. */
  isAddress(column: number): boolean {
    return column < this.fields.count && this.fieldAs(parseAnyText, column, scratch, 0) === 'read';
  }

  private fieldAs(parse: AddressBytesParser, column: number, out: Uint32Array, at: number): 'read' | number {
    const { bytes, fields } = this;
    let start = fields.starts[column]!;
    let stop = fields.ends[column]!;
    while (start < stop && isSpace(bytes[start])) start++;
    while (start < stop && isSpace(bytes[stop - 1])) stop--;
    const end = parse(bytes, start, out, at);
    if (end === stop && fields.escaped[column] === 0) return 'read';
    return isNonPrintable(bytes[start]) || isNonPrintable(bytes[stop - 1])
      ? this.trimmedAs(parse, start, stop, out, at)
      : end;
  }

  /** Reads an address that may be surrounded by other blanks, such as no-break spaces. */
  private trimmedAs(
    parse: AddressBytesParser,
    start: number,
    stop: number,
    out: Uint32Array,
    at: number,
  ): 'read' | number {
    const text = Buffer.from(`${this.bytes.toString('utf8', start, stop).trim()}\n`);
    const end = parse(text, 0, out, at);
    return end === text.length - 1 ? 'read' : end;
  }
}

/** A byte outside printable ASCII. Blanks and tabs around the cell are skipped before. */
function isNonPrintable(byte = 0): boolean {
  return byte < 32 || byte > 126;
}

/** A blank or a tab. */
function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9;
}
