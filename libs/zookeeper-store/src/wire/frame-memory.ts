/** Smaller frames are allocated by Node, and not reused. */
const MIN_SHARED_BYTES = 1 << 14;
const MAX_SHARED_BYTES = 1 << 20;
/** Memory is allocated in multiples of this, so that it also fits frames somewhat larger than the one before. */
const STEP_BYTES = 1 << 16;
const MAX_UNUSED = 8;

/** Memory for large frames, used again once given back: the system would have to clear new memory for each. */
export class FrameMemory {
  private readonly unused: Buffer[] = [];
  /** What frames are in at present; other frames are in memory that Node shares among its buffers. */
  private readonly lent = new WeakSet<ArrayBufferLike>();

  /** @returns a buffer with arbitrary content */
  take(bytes: number): Buffer {
    if (bytes < MIN_SHARED_BYTES || bytes > MAX_SHARED_BYTES) return Buffer.allocUnsafe(bytes);
    const index = this.unused.findIndex(({ length }) => length >= bytes);
    const [found] = index < 0 ? [] : this.unused.splice(index, 1);
    const memory = found ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES);
    this.lent.add(memory.buffer);
    return memory.subarray(0, bytes);
  }

  /**
   * Call once nothing refers to the frame any more. Memory that is not from here stays as it is.
   *
   * @param memory that a frame is in
   */
  giveBack(memory: ArrayBufferLike): void {
    const wasLent = this.lent.delete(memory);
    if (wasLent && this.unused.length < MAX_UNUSED) this.unused.push(Buffer.from(memory));
  }
}
