import { formatIpv6 } from '../address/format-address.js';
import { DataSection } from '../mmdb/data-section.js';
import { TYPE } from '../mmdb/mmdb-format.js';
import type { RowStore } from '../rows/row-store.js';
import { ByteWriter } from '../mmdb/byte-writer.js';
import type { RecordPool } from '../values/record-pool.js';
import { RecordTemplates } from '../values/record-templates.js';
import { RANGE_KEYS, type RecordLayout } from '../schema/record-layout.js';
import { ShapeWriter } from '../schema/shape-writer.js';

/** Size of the pieces in which records are added to the data section. */
const PIECE_BYTES = 1 << 15;

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
  readonly places: Uint32Array;
  private readonly rangeKeys: readonly number[];
  private readonly nested: ShapeWriter | undefined;
  private templates: RecordTemplates | undefined;

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
    if (this.places[key] === 0) this.write(key, record, rows, row, isIpv6);
  }

  private write(key: number, record: number, rows: RowStore | undefined, row: number, isIpv6: boolean): void {
    const { target, section, records } = this;
    this.places[key] = section.length + target.length + 1;
    this.count++;
    if (rows !== undefined && this.nested === undefined) this.writeWithRange(record, rows, row, isIpv6);
    else if (this.nested === undefined) {
      target.control(TYPE.map, records.countCells(record));
      records.writeCells(target, section.length);
    } else {
      records.select(record);
      this.nested.write(target, section.length);
    }
    if (target.length >= PIECE_BYTES) this.flush();
  }

  private flush(): void {
    this.section.append(this.target.bytes, this.target.length);
    this.target.clear();
  }

  private writeWithRange(record: number, rows: RowStore, row: number, isIpv6: boolean): void {
    const { target, section, records } = this;
    const templates = (this.templates ??= new RecordTemplates(records));
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
