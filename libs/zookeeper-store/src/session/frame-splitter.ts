import { REPLY_TOO_LARGE } from './zookeeper-error.js';

const LENGTH_BYTES = 4;
/** Length, number, transaction, error. */
const REPLY_HEADER_BYTES = 20;
const ERROR_AT = 16;

/**
 * Cuts a stream into ZooKeeper's frames (a length of 4 bytes, and so many bytes). Handed whole frames, the driver has
 * nothing to put together: it would copy all that is left of a chunk once for each reply in it.
 */
export class FrameSplitter {
  private chunks: Buffer[] = [];
  private size = 0;
  /** What is still to come of a frame that was refused. */
  private unwanted = 0;

  /** @param maxBytes a larger frame is not gathered: its reply comes out as the error `REPLY_TOO_LARGE` */
  constructor(private readonly maxBytes: number) {}

  /** @returns the frames that are complete now, each with its length in front */
  push(chunk: Buffer): Buffer[] {
    const dropped = Math.min(this.unwanted, chunk.length);
    this.unwanted -= dropped;
    if (dropped === chunk.length) return [];
    this.chunks.push(chunk.subarray(dropped));
    this.size += chunk.length - dropped;
    if (this.size < this.wanted()) return [];
    const data = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.size);
    const frames: Buffer[] = [];
    let start = 0;
    while (data.length - start >= LENGTH_BYTES) {
      const length = Math.max(0, data.readInt32BE(start));
      const end = start + LENGTH_BYTES + length;
      const isTooLarge = length > this.maxBytes;
      if (data.length < (isTooLarge ? start + REPLY_HEADER_BYTES : end)) break;
      frames.push(isTooLarge ? refusal(data.subarray(start)) : data.subarray(start, end));
      this.unwanted = Math.max(0, end - data.length);
      start = Math.min(end, data.length);
    }
    const rest = data.subarray(start);
    this.chunks = rest.length > 0 ? [rest] : [];
    this.size = rest.length;
    return frames;
  }

  /** Bytes that the frame at the front needs, or its length alone while that is not there. */
  private wanted(): number {
    const [first] = this.chunks;
    if (!first || this.size < LENGTH_BYTES) return LENGTH_BYTES;
    if (first.length < LENGTH_BYTES) this.chunks = [Buffer.concat(this.chunks, this.size)];
    const length = Math.max(0, this.chunks[0]!.readInt32BE(0));
    return length > this.maxBytes ? REPLY_HEADER_BYTES : LENGTH_BYTES + length;
  }
}

/** The header alone, with an error in place of what follows. */
function refusal(frame: Buffer): Buffer {
  const header = Buffer.from(frame.subarray(0, REPLY_HEADER_BYTES));
  header.writeInt32BE(REPLY_HEADER_BYTES - LENGTH_BYTES, 0);
  header.writeInt32BE(REPLY_TOO_LARGE, ERROR_AT);
  return header;
}
