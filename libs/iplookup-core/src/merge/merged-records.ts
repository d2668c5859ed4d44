import { ByteWriter } from '../mmdb/byte-writer.js';
import { DataSection } from '../mmdb/data-section.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import { pointerBytes } from '../mmdb/byte-writer.js';
import { TYPE } from '../mmdb/mmdb-format.js';
import { DATA } from '../mmdb/node-store.js';
import { ByteTable } from '../values/byte-table.js';
import { ValuePool } from '../values/record-pool.js';
import { Uint32List } from '../values/uint32-list.js';

/** A map's entries: a key's value number, then the number of a value, or `DATA` plus that of a map. */
export type Entries = readonly number[];

/** More than a lookup with every known column has. */
const MAX_ENTRIES = 4_096;

/**
 * The distinct records of a merged lookup, and the maps within them. They are written to the data section when they are
 * first needed, so that every stored record is referenced by the tree.
 */
export class MergedRecords {
  readonly values = new ValuePool();
  readonly data = new DataSection();
  /** Records written. */
  count = 0;
  private readonly table = new ByteTable();
  private readonly target = new ByteWriter();
  private scratch = Buffer.alloc(1024);
  private read = Buffer.alloc(1024);
  /** Offset of a map in the data section plus one; 0 if not yet written, alone or within another. */
  private readonly written = new Uint32List();
  /** The same for records, to which the tree refers: references must not point into another record. */
  private readonly alone = new Uint32List();

  /** @returns the number of the map with these entries @throws {LookupFormatError} if there are too many */
  intern(entries: Entries): number {
    if (entries.length > 2 * MAX_ENTRIES)
      throw new LookupFormatError(`a record has more than ${MAX_ENTRIES} values`);
    const size = entries.length * 4;
    if (size > this.scratch.length) this.scratch = Buffer.alloc(size * 2);
    const { scratch, table } = this;
    const view = new DataView(scratch.buffer, scratch.byteOffset, scratch.length);
    for (const [index, entry] of entries.entries()) view.setUint32(index * 4, entry);
    const number = table.intern(scratch, view, 0, size);
    if (number === this.written.length) {
      this.written.push(0);
      this.alone.push(0);
    }
    return number;
  }

  /** The entries of a map. */
  entries(map: number): number[] {
    const size = this.table.lengthOf(map);
    if (size > this.read.length) this.read = Buffer.alloc(size * 2);
    const { read } = this;
    this.table.copy(map, read, 0);
    const entries: number[] = [];
    for (let at = 0; at < size; at += 4) entries.push(read.readUInt32BE(at));
    return entries;
  }

  /**
   * Adds the entries of a map to those of another, also in the maps that both have under the same key.
   *
   * @param wins true if the added values replace others
   * @returns the number of the map with both
   */
  add(base: number, added: number, wins: boolean): number {
    if (base === added) return base;
    const entries = this.entries(base);
    const more = this.entries(added);
    for (let index = 0; index < more.length; index += 2) {
      const [key, value] = [more[index]!, more[index + 1]!];
      const at = indexOfKey(entries, key);
      if (at < 0) entries.push(key, value);
      else if (entries[at + 1]! >= DATA && value >= DATA)
        entries[at + 1] = DATA + this.add(entries[at + 1]! - DATA, value - DATA, wins);
      else if (wins) entries[at + 1] = value;
    }
    return this.intern(entries);
  }

  /** Each record's offset in the data section plus one. */
  places(): Uint32Array {
    return Uint32Array.from({ length: this.alone.length }, (_, map) => this.alone.at(map));
  }

  /** Writes a record unless it is already there. */
  ensure(record: number): void {
    if (this.alone.at(record) > 0) return;
    this.alone.set(record, this.data.length + 1);
    this.target.clear();
    this.write(record);
    this.data.append(this.target.bytes, this.target.length);
    this.count++;
  }

  private write(map: number): void {
    const { target, data } = this;
    this.written.set(map, data.length + target.length + 1);
    const entries = this.entries(map);
    target.control(TYPE.map, entries.length / 2);
    for (let index = 0; index < entries.length; index += 2) {
      this.values.write(entries[index]!, target, data.length);
      const value = entries[index + 1]!;
      if (value < DATA) this.values.write(value, target, data.length);
      else this.writeInner(value - DATA);
    }
  }

  private writeInner(map: number): void {
    const place = this.written.at(map) - 1;
    // An empty map is as short as a pointer's first byte.
    if (place >= 0 && pointerBytes(place) <= this.table.lengthOf(map)) this.target.pointer(place);
    else this.write(map);
  }
}

function indexOfKey(entries: Entries, key: number): number {
  for (let index = 0; index < entries.length; index += 2) if (entries[index] === key) return index;
  return -1;
}
