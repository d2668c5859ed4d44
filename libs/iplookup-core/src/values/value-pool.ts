import { ByteTable } from './byte-table.js';
import { type ByteWriter, pointerBytes } from '../mmdb/byte-writer.js';
import { Uint32List } from './uint32-list.js';

/** Distinct values in their encoded form. In the file each stands where it is used first; later uses point there. */
export class ValuePool {
  private readonly table = new ByteTable();
  /** Where a value stands in the data section, plus one; 0 when it was not written yet. */
  private readonly places = new Uint32List();

  /** @returns the number of the value that `encoded` holds, from 1 on */
  intern(encoded: ByteWriter): number {
    const value = this.table.intern(encoded.bytes, encoded.view, 0, encoded.length);
    if (value === this.places.length) this.places.push(0);
    return value + 1;
  }

  /**
   * Writes a value, or a pointer to where it stands already if that is shorter.
   *
   * @param base where `target`'s content will stand in the data section
   */
  write(value: number, target: ByteWriter, base: number): void {
    const entry = value - 1;
    const size = this.table.lengthOf(entry);
    const place = this.places.at(entry) - 1;
    if (place >= 0 && pointerBytes(place) < size) {
      target.pointer(place);
      return;
    }
    if (place < 0) this.places.set(entry, base + target.length + 1);
    target.reserve(size);
    this.table.copy(entry, target.bytes, target.length);
    target.length += size;
  }
}
