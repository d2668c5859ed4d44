import type { ByteWriter } from './byte-writer.js';
import { LookupTooLargeError } from './mmdb.errors.js';

const CHUNK_BYTES = 1 << 20;

/** The limit of 32-bit records and pointers. */
const MAX_BYTES = 2 ** 32;

/** A data section, stored in chunks to avoid copying when it grows. */
export class DataSection {
  length = 0;
  private readonly chunks: Buffer[] = [];
  private room = 0;

  /** Bytes stored here. */
  get stored(): number {
    return this.chunks.length * CHUNK_BYTES - this.room;
  }

  /** Announces bytes that are not stored here. */
  skip(count: number): void {
    if (this.length + count >= MAX_BYTES) {
      throw new LookupTooLargeError(
        'the values need more than 4 GiB, the limit of a lookup file: leave out some columns',
      );
    }
    this.length += count;
  }

  /** Appends the first `count` bytes. */
  append(bytes: Buffer, count: number): void {
    this.skip(count);
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
  }

  /** Writes stored bytes from `start` to `end`, in steps of a chunk. */
  *copy(start: number, end: number, target: Pick<ByteWriter, 'raw'>): Generator<void> {
    for (let at = start; at < end;) {
      const from = at % CHUNK_BYTES;
      const size = Math.min(end - at, CHUNK_BYTES - from);
      target.raw(this.chunks[Math.floor(at / CHUNK_BYTES)]!, from, from + size);
      at += size;
      yield;
    }
  }

  /** The stored bytes, chunk by chunk. */
  *content(): Generator<Uint8Array> {
    for (const [index, chunk] of this.chunks.entries()) {
      yield index === this.chunks.length - 1 ? chunk.subarray(0, CHUNK_BYTES - this.room) : chunk;
    }
  }
}
