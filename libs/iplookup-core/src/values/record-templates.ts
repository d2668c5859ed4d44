import { ByteWriter } from '../mmdb/byte-writer.js';
import type { RecordPool } from './record-pool.js';

/** Memory limit of the encoded cells. */
const MAX_BYTES = 64 << 20;

/**
 * Writes records that are repeated, each time with other keys before their own. From the second time on, a record's
 * cells are encoded alike: all values that pointers can replace have been written. So they are then copied.
 */
export class RecordTemplates {
  private readonly cells = new ByteWriter();
  /** Where each record's encoded cells start and end; an end of 0 if they are not kept yet. */
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  /** Number of a record's columns plus one; 0 if it has not been written. */
  private readonly counts: Uint32Array;

  /** @param maxRecords maximum number of records */
  constructor(
    private readonly records: RecordPool,
    maxRecords: number,
  ) {
    this.starts = new Uint32Array(maxRecords);
    this.ends = new Uint32Array(maxRecords);
    this.counts = new Uint32Array(maxRecords);
  }

  /** The number of columns in the record. */
  count(record: number): number {
    return this.counts[record] === 0 ? this.records.countCells(record) : this.counts[record]! - 1;
  }

  /** Size of what {@link RecordTemplates.write} writes; 0 if it is not known yet. */
  lengthOf(record: number): number {
    return this.ends[record]! - this.starts[record]!;
  }

  /**
   * Writes the keys and values of the record.
   *
   * @param base offset of `target`'s content in the data section
   */
  write(record: number, target: ByteWriter, base: number): void {
    const end = this.ends[record]!;
    if (end > 0) {
      target.copy(this.cells, this.starts[record]!, end);
      return;
    }
    const start = target.length;
    const isRepeated = this.counts[record]! > 0;
    this.counts[record] = this.records.countCells(record) + 1;
    this.records.writeCells(target, base);
    if (isRepeated && this.cells.length < MAX_BYTES) this.keep(record, target, start);
  }

  private keep(record: number, target: ByteWriter, start: number): void {
    const { cells } = this;
    this.starts[record] = cells.length;
    cells.raw(target.bytes, start, target.length);
    this.ends[record] = cells.length;
  }
}
