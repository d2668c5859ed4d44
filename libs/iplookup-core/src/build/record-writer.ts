import { formatIpv6 } from '../address/format-address.js';
import { DataSection } from '../mmdb/data-section.js';
import type { RowStore } from '../rows/row-store.js';
import { ByteWriter } from '../values/byte-writer.js';
import type { RecordExtra, RecordPool } from '../values/record-pool.js';
import { RANGE_KEYS } from './csv-columns.js';

/**
 * Writes records into the data section at their first use, so that each one there is referred to by the tree. A record
 * goes by a key: its own number, or, where records hold their row's addresses, the row's.
 */
export class RecordWriter {
  readonly data = new DataSection();
  /** Records written. */
  count = 0;
  private readonly target = new ByteWriter();
  /** Where a key's record stands, plus one; 0 when it was not written yet. */
  private readonly places: Uint32Array;
  private readonly rangeKeys: readonly number[];

  /** @param keys how many there can be */
  constructor(
    private readonly records: RecordPool,
    keys: number,
  ) {
    this.places = new Uint32Array(keys);
    this.rangeKeys = RANGE_KEYS.map((key) => records.intern((target) => target.text(key)));
  }

  placeOf(key: number): number {
    return this.places[key]! - 1;
  }

  /** @param row the row whose addresses the record is to hold */
  ensure(key: number, record: number, row?: { readonly rows: RowStore; readonly number: number }): void {
    if (this.places[key] !== 0) return;
    const base = this.data.length;
    this.places[key] = base + 1;
    this.count++;
    this.target.clear();
    this.records.write(
      record,
      this.target,
      base,
      row === undefined ? undefined : this.range(row.rows, row.number),
    );
    this.data.append(this.target.bytes, this.target.length);
  }

  private range(rows: RowStore, row: number): RecordExtra {
    const words = rows.chunkOf(row);
    const first = rows.offset(row);
    return {
      size: 2,
      write: (values, target, base) => {
        for (const [index, key] of this.rangeKeys.entries()) {
          const at = first + index * rows.width;
          values.write(key, target, base);
          if (rows.width === 1) target.ipv4Text(words[at]!);
          else target.text(formatIpv6(words, at));
        }
      },
    };
  }
}
