import { FrameMemory } from '../wire/frame-memory.js';
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
  private readonly length = Buffer.alloc(LENGTH_BYTES);
  /** The frame that is arriving; at first, its length. */
  private frame: Buffer = this.length;
  private filled = 0;
  /** Bytes of an oversized frame after what is kept of it. */
  private surplus = 0;
  private bytesToSkip = 0;

  /**
   * @param maxBytes larger frames are not buffered: they become a reply with the error `REPLY_TOO_LARGE`
   * @param memory for the frames, which do not refer to the chunks
   */
  constructor(
    private readonly maxBytes: number,
    private readonly memory = new FrameMemory(),
  ) {}

  /** @returns the frames completed by this chunk, including their length prefix */
  push(chunk: Buffer): Buffer[] {
    const frames: Buffer[] = [];
    for (let start = this.skip(chunk, 0); start < chunk.length; start = this.skip(chunk, start)) {
      const count = chunk.copy(this.frame, this.filled, start);
      this.filled += count;
      start += count;
      if (this.filled === LENGTH_BYTES) this.begin();
      if (this.filled === this.frame.length) frames.push(this.end());
    }
    return frames;
  }

  private skip(chunk: Buffer, start: number): number {
    const skipped = Math.min(this.bytesToSkip, chunk.length - start);
    this.bytesToSkip -= skipped;
    return start + skipped;
  }

  /** The length is known. */
  private begin(): void {
    const length = Math.max(0, this.length.readInt32BE());
    const kept = length > this.maxBytes ? REPLY_HEADER_BYTES : LENGTH_BYTES + length;
    this.surplus = LENGTH_BYTES + length - kept;
    this.frame = this.memory.take(kept);
    this.length.copy(this.frame);
  }

  private end(): Buffer {
    const { frame } = this;
    if (this.surplus > 0) markTooLarge(frame);
    this.bytesToSkip = this.surplus;
    this.frame = this.length;
    this.filled = 0;
    return frame;
  }
}

/** Makes the header of a frame a reply of its own. */
function markTooLarge(header: Buffer): void {
  header.writeInt32BE(REPLY_HEADER_BYTES - LENGTH_BYTES, 0);
  header.writeInt32BE(REPLY_TOO_LARGE, ERROR_AT);
}
