import { ByteWriter } from '../mmdb/byte-writer.js';
import type { RecordPool } from './record-pool.js';

/** Memory limit of the encoded cells. */
const MAX_BYTES = 64 << 20;

/** Numbers kept of each record. */
const FIELDS = 3;
const LENGTH = 1;
const COUNT = 2;

/**
 * Writes the cells of records that occur repeatedly, each time after the addresses of a different row. From the second time on,
 * they are encoded alike, since every value that a pointer can replace has been written: they are then copied.
 */
export class RecordTemplates {
  /** Length of the longest cells that are kept. */
  longest = 0;
  private readonly written = new ByteWriter();
  /**
   * For each record: where its encoded cells start, their length, which is 0 if they are not kept yet, and the number of its
   * columns plus one, which is 0 if it has not been written.
   */
  private readonly all: Uint32Array;

  /** @param maxRecords maximum number of records */
  constructor(
    private readonly records: RecordPool,
    maxRecords: number,
  ) {
    this.all = new Uint32Array(FIELDS * maxRecords);
  }

  /** Start and length of each record's cells in {@link RecordTemplates.cells}, and the number of its columns plus one. */
  get table(): Uint32Array {
    return this.all.subarray(0, FIELDS * this.records.size);
  }

  /** The encoded cells that are kept. */
  get cells(): Uint8Array {
    return this.written.bytes.subarray(0, this.written.length);
  }

  /** The number of columns in the record. */
  count(record: number): number {
    const count = this.all[FIELDS * record + COUNT]!;
    return count === 0 ? this.records.countCells(record) : count - 1;
  }

  /** Size of what {@link RecordTemplates.write} writes; 0 if it is not known yet. */
  lengthOf(record: number): number {
    return this.all[FIELDS * record + LENGTH]!;
  }

  /**
   * Writes the keys and values of the record.
   *
   * @param base offset of `target`'s content in the data section
   */
  write(record: number, target: ByteWriter, base: number): void {
    const { all, written, records } = this;
    const at = FIELDS * record;
    const length = all[at + LENGTH]!;
    if (length > 0) {
      target.copy(written, all[at]!, all[at]! + length);
      return;
    }
    const start = target.length;
    const isRepeated = all[at + COUNT]! > 0;
    all[at + COUNT] = records.countCells(record) + 1;
    records.writeCells(target, base);
    if (!isRepeated || written.length >= MAX_BYTES) return;
    all[at] = written.length;
    all[at + LENGTH] = target.length - start;
    this.longest = Math.max(this.longest, target.length - start);
    written.raw(target.bytes, start, target.length);
  }
}
