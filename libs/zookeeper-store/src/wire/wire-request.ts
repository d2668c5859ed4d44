import { FrameMemory } from './frame-memory.js';

const LENGTH_BYTES = 4;
const HEADER_BYTES = LENGTH_BYTES + 8;

/** A type (delete) whose reply the driver does not decode, leaving that to us. */
const WITHOUT_PAYLOAD = 2;

/**
 * A request in ZooKeeper's wire format (jute). The driver's own encoding takes ten times as long, because it interprets
 * a schema for every field of every operation.
 */
export class WireRequest {
  /** The driver sets `xid` on sending. */
  readonly header = { type: WITHOUT_PAYLOAD, xid: 0 };
  readonly payload = null;
  private readonly frame: Buffer;
  private end = HEADER_BYTES;

  /**
   * @param code of the operation, as in ZooKeeper's `ZooDefs.OpCode`
   * @param bytes that the fields will have
   */
  constructor(
    code: number,
    bytes: number,
    private readonly memory = new FrameMemory(),
  ) {
    this.frame = memory.take(HEADER_BYTES + bytes);
    this.frame.writeInt32BE(HEADER_BYTES - LENGTH_BYTES + bytes, 0);
    this.frame.writeInt32BE(code, LENGTH_BYTES + 4);
  }

  int(value: number): this {
    this.end = this.frame.writeInt32BE(value, this.end);
    return this;
  }

  bool(value: boolean): this {
    this.end = this.frame.writeUInt8(value ? 1 : 0, this.end);
    return this;
  }

  text(value: string): this {
    const length = this.frame.write(value, this.end + LENGTH_BYTES);
    this.int(length);
    this.end += length;
    return this;
  }

  data(value: Uint8Array): this {
    this.int(value.length);
    this.frame.set(value, this.end);
    this.end += value.length;
    return this;
  }

  /** Call once, after the reply: until then, parts of it may not have been sent. */
  release(): void {
    this.memory.giveBack(this.frame.buffer);
  }

  /** Called by the driver. */
  toBuffer(): Buffer {
    if (this.end !== this.frame.length) throw new RangeError('a request differs from its declared size');
    this.frame.writeInt32BE(this.header.xid, LENGTH_BYTES);
    return this.frame;
  }
}

/** Encoded size of a string. */
export function textBytes(value: string): number {
  return LENGTH_BYTES + Buffer.byteLength(value);
}

/** Encoded size of a buffer. */
export function dataBytes(value: Uint8Array): number {
  return LENGTH_BYTES + value.length;
}
