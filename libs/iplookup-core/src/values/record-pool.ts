import { ByteTable, type EntryTable } from './byte-table.js';
import { ByteWriter, pointerBytes } from '../mmdb/byte-writer.js';

/** Marks a column omitted from a record. */
export const ABSENT = 0;

/**
 * Distinct records, each a list of value numbers by column. Rows with equal values, regardless of quoting, share one
 * record.
 */
export class RecordPool {
  readonly values = new ValuePool();
  private table: EntryTable = new ByteTable();
  private readonly keys: number[];
  /** Where each key is, once it is written and longer than a pointer; before, -1. */
  private readonly keyPlaces: number[];
  private readonly cells: DataView;
  private readonly cellBytes: Uint8Array;
  private readonly scratch = new ByteWriter();

  /** @param columns names of the value columns */
  constructor(columns: readonly string[]) {
    this.keys = columns.map((column) => this.intern((target) => target.text(column)));
    this.keyPlaces = columns.map(() => -1);
    this.cellBytes = new Uint8Array(columns.length * 4);
    this.cells = new DataView(this.cellBytes.buffer);
  }

  /** Continues in other tables, which are empty; all numbers stay the same. */
  moveTo(values: EntryTable, records: EntryTable): void {
    this.values.moveTo(values);
    this.table = moved(this.table, records);
  }

  /** @returns the number of the value that `encode` writes */
  intern(encode: (target: ByteWriter) => void): number {
    this.scratch.clear();
    encode(this.scratch);
    return this.values.intern(this.scratch);
  }

  /** @returns the number of the text given as UTF-8 `bytes` from `start` to `end` */
  internText(bytes: Uint8Array, start: number, end: number): number {
    this.scratch.clear();
    this.scratch.utf8(bytes, start, end);
    return this.values.intern(this.scratch);
  }

  /** @returns the number of a double */
  internDouble(value: number): number {
    this.scratch.clear();
    this.scratch.double(value);
    return this.values.intern(this.scratch);
  }

  /** Sets the value of a column for {@link RecordPool.internCells}: its number or `ABSENT`. */
  setCell(column: number, value: number): void {
    this.cells.setUint32(column * 4, value);
  }

  /** @returns the number of the record with the cells set last */
  internCells(): number {
    return this.table.intern(this.cellBytes, this.cells, 0, this.cellBytes.length);
  }

  /** Number of distinct records. */
  get size(): number {
    return this.table.size;
  }

  /** Selects the record for {@link RecordPool.cell} and {@link RecordPool.writeCells}. */
  select(record: number): void {
    this.table.copy(record, this.cellBytes, 0);
  }

  /** The value number of a column in the selected record, or `ABSENT`. */
  cell(column: number): number {
    return this.cells.getUint32(column * 4);
  }

  /** Selects a record and counts its columns. */
  countCells(record: number): number {
    this.select(record);
    let present = 0;
    for (let column = 0; column < this.keys.length; column++) {
      if (this.cells.getUint32(column * 4) !== ABSENT) present++;
    }
    return present;
  }

  /** Writes the keys and values of the selected record. */
  writeCells(target: ByteWriter, base: number): void {
    for (let column = 0; column < this.keys.length; column++) {
      const value = this.cells.getUint32(column * 4);
      if (value === ABSENT) continue;
      this.writeKey(column, target, base);
      this.values.write(value, target, base);
    }
  }

  /** Writes a key or, once it has been written and a pointer is shorter, a pointer to it. */
  private writeKey(column: number, target: ByteWriter, base: number): void {
    const place = this.keyPlaces[column]!;
    if (place >= 0) target.pointer(place);
    else {
      this.values.write(this.keys[column]!, target, base);
      this.keyPlaces[column] = this.values.pointerTo(this.keys[column]!);
    }
  }
}

/** Distinct encoded values. Each is written on first use; later uses are pointers to it. */
export class ValuePool {
  private table: EntryTable = new ByteTable();
  /** Offset of a value in the data section plus one; 0 if not yet written. */
  private places = new Uint32Array(0);

  /** @returns the number, from 1, of the value in `encoded` */
  intern(encoded: ByteWriter): number {
    return this.table.intern(encoded.bytes, encoded.view, 0, encoded.length) + 1;
  }

  /** Continues in another table. */
  moveTo(table: EntryTable): void {
    this.table = moved(this.table, table);
  }

  /**
   * Writes a value, or a pointer to its earlier occurrence if that is shorter.
   *
   * @param base offset of `target`'s content in the data section
   */
  write(value: number, target: ByteWriter, base: number): void {
    const entry = value - 1;
    if (entry >= this.places.length) this.growPlaces();
    const size = this.table.lengthOf(entry);
    const place = this.places[entry]! - 1;
    if (place >= 0 && pointerBytes(place) < size) {
      target.pointer(place);
      return;
    }
    if (place < 0) this.places[entry] = base + target.length + 1;
    target.reserve(size);
    this.table.copy(entry, target.bytes, target.length);
    target.length += size;
  }

  /** Offset of a value that was written, if a pointer to it is shorter; otherwise -1. */
  pointerTo(value: number): number {
    const place = this.places[value - 1]! - 1;
    return pointerBytes(place) < this.table.lengthOf(value - 1) ? place : -1;
  }

  /** Values are written when most of them are known. */
  private growPlaces(): void {
    const grown = new Uint32Array(Math.max(this.table.size, 2 * this.places.length));
    grown.set(this.places);
    this.places = grown;
  }
}

function moved(table: EntryTable, target: EntryTable): EntryTable {
  return table instanceof ByteTable ? table.copyTo(target) : table;
}
