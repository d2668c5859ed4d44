const LENGTH_BYTES = 4;
const HEADER_BYTES = LENGTH_BYTES + 8;

/** A type (delete) whose reply the driver does not decode, leaving that to us. */
const WITHOUT_PAYLOAD = 2;

/** Requests of this size or less can share memory, one after the other. */
const SHARED_BYTES = 1 << 20;
/** Smaller requests need no memory of their own anyway. */
const MIN_SHARED_BYTES = 1 << 16;
const MAX_UNUSED = 8;

/** Memory for large requests, used again after their replies: the system would have to clear new memory for each. */
export class RequestMemory {
  private readonly unused: Buffer[] = [];

  take(bytes: number): Buffer {
    if (bytes < MIN_SHARED_BYTES || bytes > SHARED_BYTES) return Buffer.allocUnsafe(bytes);
    return (this.unused.pop() ?? Buffer.allocUnsafeSlow(SHARED_BYTES)).subarray(0, bytes);
  }

  /** Call only once the server has replied: until then, parts of it may not have been sent. */
  giveBack({ buffer, byteOffset, length }: Buffer): void {
    const isShared = length >= MIN_SHARED_BYTES && buffer.byteLength === SHARED_BYTES && byteOffset === 0;
    if (isShared && this.unused.length < MAX_UNUSED) this.unused.push(Buffer.from(buffer));
  }
}

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
    private readonly memory = new RequestMemory(),
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

  /** Call once, after the reply. */
  release(): void {
    this.memory.giveBack(this.frame);
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
