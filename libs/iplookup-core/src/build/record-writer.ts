import { formatIpv6 } from '../address/format-address.js';
import { DataSection } from '../mmdb/data-section.js';
import { TYPE } from '../mmdb/mmdb-format.js';
import type { RowStore } from '../rows/row-store.js';
import { ByteWriter } from '../mmdb/byte-writer.js';
import type { RecordPool } from '../values/record-pool.js';
import { RANGE_KEYS, type RecordLayout } from '../schema/record-layout.js';
import { ShapeWriter } from '../schema/shape-writer.js';

/**
 * Writes records to the data section on first use, so that every stored record is referenced by the tree. A record's
 * key is its number, or the row's number if records contain their row's addresses.
 */
export class RecordWriter {
  readonly data = new DataSection();
  /** Records written. */
  count = 0;
  private readonly target = new ByteWriter();
  /** Offset of a key's record plus one; 0 if not yet written. */
  readonly places: Uint32Array;
  private readonly rangeKeys: readonly number[];
  private readonly nested: ShapeWriter | undefined;

  /** @param keys maximum number of keys */
  constructor(
    private readonly records: RecordPool,
    keys: number,
    { shape }: Pick<RecordLayout, 'shape'> = {},
  ) {
    this.nested = shape && new ShapeWriter(records, shape);
    this.places = new Uint32Array(keys);
    this.rangeKeys = RANGE_KEYS.map((key) => records.intern((target) => target.text(key)));
  }

  /**
   * Writes the record unless already written; with `rows`, it includes that row's addresses.
   *
   * @param isIpv6 true if one-word addresses are the last words of IPv6 addresses whose other words are zero
   */
  ensure(key: number, record: number, rows?: RowStore, row = 0, isIpv6 = false): void {
    if (this.places[key] === 0) this.write(key, record, rows, row, isIpv6);
  }

  private write(key: number, record: number, rows: RowStore | undefined, row: number, isIpv6: boolean): void {
    const { target, data, records } = this;
    this.places[key] = data.length + 1;
    this.count++;
    target.clear();
    if (this.nested === undefined) this.writeFlat(record, rows, row, isIpv6);
    else {
      records.select(record);
      this.nested.write(target, data.length);
    }
    data.append(target.bytes, target.length);
  }

  private writeFlat(record: number, rows: RowStore | undefined, row: number, isIpv6: boolean): void {
    const { target, data, records } = this;
    const extra = rows === undefined ? 0 : this.rangeKeys.length;
    target.control(TYPE.map, records.countCells(record) + extra);
    if (rows !== undefined) this.writeRange(rows, row, isIpv6);
    records.writeCells(target, data.length);
  }

  private writeRange(rows: RowStore, row: number, isIpv6: boolean): void {
    const { target, data, records } = this;
    const words = rows.chunkOf(row);
    let at = rows.offset(row);
    for (const key of this.rangeKeys) {
      records.values.write(key, target, data.length);
      if (rows.width === 4) target.text(formatIpv6(words, at));
      else if (isIpv6) target.text(formatIpv6(Uint32Array.of(0, 0, 0, words[at]!), 0));
      else target.ipv4Text(words[at]!);
      at += rows.width;
    }
  }
}
