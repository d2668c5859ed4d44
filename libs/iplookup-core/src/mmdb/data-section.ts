import { LookupTooLargeError } from './mmdb.errors.js';

const CHUNK_BYTES = 1 << 20;

/** The limit of 32-bit records and pointers. */
const MAX_BYTES = 2 ** 32;

/** A data section, stored in chunks to avoid copying when it grows. */
export class DataSection {
  length = 0;
  private readonly chunks: Buffer[] = [];
  private room = 0;

  /** Appends the first `count` bytes. */
  append(bytes: Buffer, count: number): void {
    if (this.length + count >= MAX_BYTES) {
      throw new LookupTooLargeError(
        'the values need more than 4 GiB, the limit of a lookup file: leave out some columns',
      );
    }
    for (let done = 0; done < count;) {
      if (this.room === 0) {
        this.chunks.push(Buffer.allocUnsafe(CHUNK_BYTES));
        this.room = CHUNK_BYTES;
      }
      const size = Math.min(this.room, count - done);
      bytes.copy(this.chunks.at(-1)!, CHUNK_BYTES - this.room, done, done + size);
      this.room -= size;
      done += size;
    }
    this.length += count;
  }

  /** The content, chunk by chunk. */
  *content(): Generator<Uint8Array> {
    for (const [index, chunk] of this.chunks.entries()) {
      yield index === this.chunks.length - 1 ? chunk.subarray(0, CHUNK_BYTES - this.room) : chunk;
    }
  }
}
