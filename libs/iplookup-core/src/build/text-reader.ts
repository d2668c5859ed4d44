import { scanRecord } from '../csv/scan-record.js';
import { RowBuffer } from './row-buffer.js';
import type { RowValues } from './row-values.js';
import type { TableColumns } from './table-columns.js';

/** Longer texts are left to the reader of whole rows. */
const MAX_TEXT_BYTES = 1 << 16;

/** Stands for the addresses before a text. */
const ADDRESSES = Buffer.from('0,0');

const LF = 10;
const CR = 13;

/** Reads the values of texts that follow the two addresses of a row. */
export class TextReader {
  private readonly text: RowBuffer;

  /** @param separator byte between fields */
  constructor(
    private readonly columns: TableColumns,
    separator: number,
  ) {
    const bytes = Buffer.alloc(ADDRESSES.length + MAX_TEXT_BYTES + 16);
    this.text = new RowBuffer(bytes, columns, separator);
    ADDRESSES.copy(bytes);
    bytes[1] = separator;
  }

  /** @returns the payload of a text's values, or `undefined` if it is not that of a valid row */
  payloadOf(text: Uint8Array, values: RowValues): number | undefined {
    const { bytes, fields, cells, separator } = this.text;
    if (text.length > MAX_TEXT_BYTES || !this.followsAddress(text)) return undefined;
    bytes.set(text, ADDRESSES.length);
    const end = ADDRESSES.length + text.length;
    bytes[end] = LF;
    const next = scanRecord(bytes, 0, end + 1, true, separator, fields);
    if (next !== end + 1 || cells.invalidUtf8() >= 0) return undefined;
    if (fields.count !== values.columns.length + this.columns.format.addressColumns) return undefined;
    const payload = values.read(cells);
    return typeof payload === 'number' ? payload : undefined;
  }

  private followsAddress(text: Uint8Array): boolean {
    if (text[0] === CR) return text.length === 1;
    return text.length === 0 || text[0] === this.text.separator;
  }
}
