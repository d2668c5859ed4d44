import { REPLY_TOO_LARGE } from './zookeeper-error.js';

const LENGTH_BYTES = 4;
/** Length, xid, zxid, error. */
const REPLY_HEADER_BYTES = 20;
const ERROR_AT = 16;

/**
 * Splits a stream into ZooKeeper's length-prefixed frames. Given partial frames, the driver would copy the rest of the
 * chunk once for every reply in it.
 */
export class FrameSplitter {
  private chunks: Buffer[] = [];
  private size = 0;
  /** Remaining bytes of an oversized frame. */
  private bytesToSkip = 0;

  /** @param maxBytes larger frames are not buffered: they become a reply with the error `REPLY_TOO_LARGE` */
  constructor(private readonly maxBytes: number) {}

  /** @returns the frames completed by this chunk, including their length prefix */
  push(chunk: Buffer): Buffer[] {
    const dropped = Math.min(this.bytesToSkip, chunk.length);
    this.bytesToSkip -= dropped;
    if (dropped === chunk.length) return [];
    this.chunks.push(chunk.subarray(dropped));
    this.size += chunk.length - dropped;
    if (this.size < this.bytesNeeded()) return [];
    const data = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.size);
    const frames: Buffer[] = [];
    let start = 0;
    while (data.length - start >= LENGTH_BYTES) {
      const length = Math.max(0, data.readInt32BE(start));
      const end = start + LENGTH_BYTES + length;
      const isTooLarge = length > this.maxBytes;
      if (data.length < (isTooLarge ? start + REPLY_HEADER_BYTES : end)) break;
      frames.push(isTooLarge ? tooLargeReply(data.subarray(start)) : data.subarray(start, end));
      this.bytesToSkip = Math.max(0, end - data.length);
      start = Math.min(end, data.length);
    }
    const rest = data.subarray(start);
    this.chunks = rest.length > 0 ? [rest] : [];
    this.size = rest.length;
    return frames;
  }

  /** Bytes needed before the first frame, or at least its length, can be read. */
  private bytesNeeded(): number {
    const [first] = this.chunks;
    if (!first || this.size < LENGTH_BYTES) return LENGTH_BYTES;
    if (first.length < LENGTH_BYTES) this.chunks = [Buffer.concat(this.chunks, this.size)];
    const length = Math.max(0, this.chunks[0]!.readInt32BE(0));
    return length > this.maxBytes ? REPLY_HEADER_BYTES : LENGTH_BYTES + length;
  }
}

/** The frame's header only, with its error set to `REPLY_TOO_LARGE`. */
function tooLargeReply(frame: Buffer): Buffer {
  const header = Buffer.from(frame.subarray(0, REPLY_HEADER_BYTES));
  header.writeInt32BE(REPLY_HEADER_BYTES - LENGTH_BYTES, 0);
  header.writeInt32BE(REPLY_TOO_LARGE, ERROR_AT);
  return header;
}
