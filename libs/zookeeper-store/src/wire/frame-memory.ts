/** Smaller frames get memory of their own. */
const MIN_SHARED_BYTES = 1 << 14;
const MAX_SHARED_BYTES = 1 << 20;
/** Memory is allocated in multiples of this, so that it also fits frames somewhat larger than the one before. */
const STEP_BYTES = 1 << 16;
const MAX_UNUSED = 8;

/** Memory for large frames, used again once given back: the system would have to clear new memory for each. */
export class FrameMemory {
  private readonly unused: Buffer[] = [];

  /** @returns a buffer with arbitrary content */
  take(bytes: number): Buffer {
    if (bytes < MIN_SHARED_BYTES || bytes > MAX_SHARED_BYTES) return Buffer.allocUnsafe(bytes);
    const index = this.unused.findIndex(({ length }) => length >= bytes);
    const [found] = index < 0 ? [] : this.unused.splice(index, 1);
    const memory = found ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES);
    return memory.subarray(0, bytes);
  }

  /**
   * Call once nothing refers to the frame any more, and only once.
   *
   * @param memory that a frame is in
   */
  giveBack(memory: ArrayBufferLike): void {
    const isShared = memory.byteLength >= STEP_BYTES && memory.byteLength <= MAX_SHARED_BYTES;
    if (isShared && this.unused.length < MAX_UNUSED) this.unused.push(Buffer.from(memory));
  }
}
