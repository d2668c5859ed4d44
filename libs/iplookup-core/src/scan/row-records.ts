import { ByteWriter } from '../mmdb/byte-writer.js';

/** Size from which on encoded records are passed on. */
export const PIECE_BYTES = 1 << 20;

/** Encodes records that contain their row's addresses. */
export interface RowRecords {
  /** Bytes written since they were taken last. */
  readonly length: number;
  /** Writes at most 1 MiB as it is. */
  raw(bytes: Uint8Array, start: number, end: number): void;
  /**
   * Encodes rows from `row` until before `end`, or until at least {@link PIECE_BYTES} are written.
   *
   * @returns the row after those that were encoded
   */
  encode(row: number, end: number): number;
  /** What was written, which is valid until more is. */
  take(): Uint8Array;
}

/** Encodes them in JavaScript. */
export class PortableRowRecords implements RowRecords {
  private readonly target = new ByteWriter();

  /** @param write writes a row's record */
  constructor(private readonly write: (row: number, target: ByteWriter) => void) {}

  get length(): number {
    return this.target.length;
  }

  raw(bytes: Uint8Array, start: number, end: number): void {
    this.target.raw(bytes, start, end);
  }

  encode(row: number, end: number): number {
    let next = row;
    while (next < end && this.target.length < PIECE_BYTES) this.write(next++, this.target);
    return next;
  }

  take(): Uint8Array {
    const written = this.target.bytes.subarray(0, this.target.length);
    this.target.clear();
    return written;
  }
}
