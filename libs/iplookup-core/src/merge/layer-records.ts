import { ByteWriter } from '../mmdb/byte-writer.js';
import { MAX_DEPTH } from '../mmdb/decode-value.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import { TYPE } from '../mmdb/mmdb-format.js';
import { DATA } from '../mmdb/node-store.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { type ValueHead, ValueCopier } from '../mmdb/value-copier.js';
import type { MergedRecords } from './merged-records.js';
import { OffsetTable } from './offset-table.js';

/** Translates the records of one layer into those of the merged lookup; a map's reference is `DATA` plus its number. */
export class LayerRecords {
  private readonly values: ValueCopier;
  private readonly scratch = new ByteWriter();
  /** For each of the layer's references that was read: `DATA` plus the record if it is used, otherwise the record plus one. */
  private readonly found = new OffsetTable();
  /** Values that were read through pointers, by their offsets. */
  private readonly shared = new OffsetTable();
  private after = 0;

  constructor(
    private readonly lookup: ParsedLookup,
    private readonly merged: MergedRecords,
  ) {
    this.values = new ValueCopier(lookup.data, 0, lookup.data.length);
  }

  /** @returns the merged tree's reference for one of the layer's, as a signed number @throws {LookupFormatError} */
  use(reference: number): number {
    const known = this.found.get(reference);
    if (known < 0) return known;
    const record = this.recordOf(reference);
    this.merged.ensure(record);
    this.found.set(reference, (DATA + record) | 0);
    return (DATA + record) | 0;
  }

  /** @returns the number of the record that a reference leads to @throws {LookupFormatError} */
  recordOf(reference: number): number {
    const known = this.found.get(reference);
    if (known !== 0) return known < 0 ? known & ~DATA : known - 1;
    const value = this.valueAt(this.lookup.offsetOf(reference), 0);
    if (value < DATA) throw new LookupFormatError('the record of an address is not a map of columns');
    this.found.set(reference, value - DATA + 1);
    return value - DATA;
  }

  private sharedAt(offset: number, depth: number): number {
    let value = this.shared.get(offset) >>> 0;
    if (value === 0) this.shared.set(offset, (value = this.valueAt(offset, depth)));
    return value;
  }

  /** Sets `after` to the offset after the value. */
  private valueAt(offset: number, depth: number): number {
    if (depth > MAX_DEPTH)
      throw new LookupFormatError(`values are nested more than ${MAX_DEPTH} levels deep`);
    const head = this.values.head(offset);
    if (head.target !== undefined) {
      const value = this.sharedAt(head.target, depth + 1);
      this.after = head.payload;
      return value;
    }
    if (head.type === TYPE.map) return this.mapAt(head, depth);
    this.scratch.clear();
    this.after = this.values.copy(offset, this.scratch);
    return this.merged.values.intern(this.scratch);
  }

  private mapAt({ size, payload }: ValueHead, depth: number): number {
    const entries: number[] = [];
    this.after = payload;
    for (let index = 0; index < size; index++) {
      this.assertText(this.after);
      entries.push(this.valueAt(this.after, depth + 1));
      entries.push(this.valueAt(this.after, depth + 1));
    }
    return DATA + this.merged.intern(entries);
  }

  private assertText(offset: number): void {
    const head = this.values.head(offset);
    const { type } = head.target === undefined ? head : this.values.head(head.target);
    if (type !== TYPE.string) throw new LookupFormatError('the key of a map is not a string');
  }
}
