import { CellReader } from '../csv/cell-reader.js';
import { FieldBounds } from '../csv/scan-record.js';
import { AddressReader } from './address-reader.js';
import type { TableColumns } from './table-columns.js';

/** Maximum row length in bytes. */
export const MAX_ROW_BYTES = 1 << 20;

/** The input is read in pieces of this size. */
export const PIECE_BYTES = 1 << 20;

/** The rest of a row, a piece, and what is read behind its end. */
export const BUFFER_BYTES = MAX_ROW_BYTES + PIECE_BYTES + 8;

/** Some of the input's bytes, and what reads rows in them. */
export class RowBuffer {
  /** Bytes of the input; a line feed follows them. */
  length = 0;
  readonly view: DataView;
  readonly fields = new FieldBounds();
  readonly cells: CellReader;
  readonly addresses: AddressReader;

  /** @param separator byte between fields */
  constructor(
    readonly bytes: Buffer,
    columns: TableColumns,
    separator: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.cells = new CellReader(bytes, this.fields);
    this.addresses = new AddressReader(bytes, this.fields, columns, separator);
  }

  get separator(): number {
    return this.addresses.separator;
  }
}
