const LENGTH_BYTES = 4;

/**
 * Cuts a stream into ZooKeeper's frames (a length of 4 bytes, and so many bytes). Handed whole frames, the driver has
 * nothing to put together: it would copy all that is left of a chunk once for each reply in it.
 */
export class FrameSplitter {
  private chunks: Buffer[] = [];
  private size = 0;

  /** @returns the frames that are complete now, each with its length in front */
  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size < this.wanted()) return [];
    const data = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.size);
    const frames: Buffer[] = [];
    let start = 0;
    while (data.length - start >= LENGTH_BYTES) {
      const end = start + LENGTH_BYTES + Math.max(0, data.readInt32BE(start));
      if (end > data.length) break;
      frames.push(data.subarray(start, end));
      start = end;
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
    return LENGTH_BYTES + Math.max(0, this.chunks[0]!.readInt32BE(0));
  }
}
