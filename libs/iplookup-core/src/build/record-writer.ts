import { formatIpv6 } from '../address/format-address.js';
import { DataSection } from '../mmdb/data-section.js';
import { TYPE } from '../mmdb/mmdb-format.js';
import type { RowStore } from '../rows/row-store.js';
import { ByteWriter, controlBytes, ipv4TextBytes } from '../mmdb/byte-writer.js';
import type { RecordPool } from '../values/record-pool.js';
import { RecordTemplates } from '../values/record-templates.js';
import { RANGE_KEYS, type RecordLayout } from '../schema/record-layout.js';
import { ShapeWriter } from '../schema/shape-writer.js';
import { EngineRowRecords } from '../scan/engine-row-records.js';
import { PortableRowRecords, type RowRecords } from '../scan/row-records.js';
import { DeferredRecords } from './deferred-records.js';

/** Size of the pieces in which records are added to the data section. */
const PIECE_BYTES = 1 << 15;

/** Fewer records are encoded before the engine has started. */
const ENGINE_FROM_ROWS = 1 << 14;

/**
 * Writes records to the data section on first use, so that every stored record is referenced by the tree. A record's
 * key is its number, or the row's number if records contain their row's addresses.
 */
export class RecordWriter {
  /** Records written. */
  count = 0;
  private readonly section = new DataSection();
  /** What follows the section's content. */
  private readonly target = new ByteWriter();
  /** Offset of a key's record plus one; 0 if not yet written. */
  private readonly allPlaces: Uint32Array;
  private lastKey = -1;
  private readonly rangeKeys: readonly number[];
  private readonly nested: ShapeWriter | undefined;
  private templates: RecordTemplates | undefined;
  private readonly deferred = new DeferredRecords();
  /** The rows of deferred records. */
  private deferredRows: RowStore | undefined;
  /** The keys of a row's addresses, encoded, once these are pointers. */
  private encodedKeys: readonly [Uint8Array, Uint8Array] | undefined;
  private rangeKeyBytes = 0;

  /**
   * @param keys maximum number of keys
   * @param maxRecords maximum number of records
   */
  constructor(
    private readonly records: RecordPool,
    keys: number,
    { shape }: Pick<RecordLayout, 'shape'> = {},
    private readonly maxRecords = records.size,
  ) {
    this.nested = shape && new ShapeWriter(records, shape);
    this.allPlaces = new Uint32Array(keys);
    this.rangeKeys = RANGE_KEYS.map((key) => records.intern((target) => target.text(key)));
  }

  /** The places of the records of all keys up to the last one written. */
  get places(): Uint32Array {
    return this.allPlaces.subarray(0, this.lastKey + 1);
  }

  /** The data section with all records written so far. */
  get data(): DataSection {
    this.flush();
    return this.section;
  }

  /**
   * Writes the record unless already written; with `rows`, it includes that row's addresses.
   *
   * @param isIpv6 true if one-word addresses are the last words of IPv6 addresses whose other words are zero
   */
  ensure(key: number, record: number, rows?: RowStore, row = 0, isIpv6 = false): void {
    if (this.allPlaces[key] === 0) this.write(key, record, rows, row, isIpv6);
  }

  /**
   * Writes the records of rows with their IPv4 addresses, unless already written. Those with values that were written
   * before are encoded when the content is read, so the rows must stay.
   */
  ensureRows(firstKey: number, rows: RowStore, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      const record = rows.valueOf(row);
      const cellBytes = this.templates?.lengthOf(record) ?? 0;
      if (cellBytes === 0) this.ensure(firstKey + row, record, rows, row);
      else if (this.allPlaces[firstKey + row] === 0) this.defer(firstKey + row, rows, row, cellBytes);
    }
  }

  /** The data section's bytes; each chunk is valid until the next one is requested. */
  content(): Generator<Uint8Array> {
    const { data, deferred, deferredRows: rows } = this;
    return rows === undefined ? data.content() : deferred.content(data, this.rowRecords(rows));
  }

  private write(key: number, record: number, rows: RowStore | undefined, row: number, isIpv6: boolean): void {
    const { target, section, records } = this;
    this.setPlace(key, section.length + target.length + 1);
    this.count++;
    if (rows !== undefined && this.nested === undefined)
      this.writeWithRange(record, rows, row, isIpv6, target);
    else if (this.nested === undefined) {
      target.control(TYPE.map, records.countCells(record));
      records.writeCells(target, section.length);
    } else {
      records.select(record);
      this.nested.write(target, section.length);
    }
    if (target.length >= PIECE_BYTES) this.flush();
  }

  private setPlace(key: number, place: number): void {
    this.allPlaces[key] = place;
    this.lastKey = Math.max(this.lastKey, key);
  }

  private flush(): void {
    this.section.append(this.target.bytes, this.target.length);
    this.target.clear();
  }

  private defer(key: number, rows: RowStore, row: number, cellBytes: number): void {
    this.flush();
    if (this.deferredRows === undefined) this.beginDeferring(rows);
    this.deferred.add(row, this.section.stored);
    this.setPlace(key, this.section.length + 1);
    this.count++;
    const words = rows.chunkOf(row);
    const at = rows.offset(row);
    const columns = this.templates!.count(rows.valueOf(row)) + this.rangeKeys.length;
    const addressBytes = ipv4TextBytes(words[at]!) + ipv4TextBytes(words[at + 1]!);
    this.section.skip(controlBytes(columns) + this.rangeKeyBytes + addressBytes + cellBytes);
  }

  private beginDeferring(rows: RowStore): void {
    this.deferredRows = rows;
    const [first, last] = this.rangeKeys.map((key) => this.encodedKey(key));
    this.encodedKeys = [first!, last!];
    this.rangeKeyBytes = first!.length + last!.length;
  }

  private encodedKey(key: number): Uint8Array {
    const target = new ByteWriter();
    this.records.values.write(key, target, 0);
    return target.bytes.subarray(0, target.length);
  }

  private rowRecords(rows: RowStore): RowRecords {
    if (this.deferred.count >= ENGINE_FROM_ROWS) {
      const engine = EngineRowRecords.start(rows, this.templates!, this.encodedKeys!);
      if (engine !== undefined) return engine;
    }
    return new PortableRowRecords((row, target) =>
      this.writeWithRange(rows.valueOf(row), rows, row, false, target),
    );
  }

  private writeWithRange(
    record: number,
    rows: RowStore,
    row: number,
    isIpv6: boolean,
    target: ByteWriter,
  ): void {
    const { section, records } = this;
    const templates = (this.templates ??= new RecordTemplates(records, this.maxRecords));
    target.control(TYPE.map, templates.count(record) + this.rangeKeys.length);
    const words = rows.chunkOf(row);
    let at = rows.offset(row);
    for (const key of this.rangeKeys) {
      records.values.write(key, target, section.length);
      if (rows.width === 4) target.text(formatIpv6(words, at));
      else if (isIpv6) target.text(formatIpv6(Uint32Array.of(0, 0, 0, words[at]!), 0));
      else target.ipv4Text(words[at]!);
      at += rows.width;
    }
    templates.write(record, target, section.length);
  }
}
