const CHUNK_BITS = 17;
const CHUNK_NODES = 1 << CHUNK_BITS;

/** The reference of an empty record; others are values (`DATA` plus a number) or nodes. */
export const EMPTY = 0xffff_ffff;

/** References from this value on are not nodes. */
export const DATA = 0x8000_0000;

/** The nodes of a tree under construction, stored in chunks to avoid copying when it grows. */
export class NodeStore {
  count = 0;
  private readonly chunks: Uint32Array[] = [];
  private current = new Uint32Array(0);
  private next = 0;

  /** @returns the new node's number */
  add(left: number, right: number): number {
    if (this.next === this.current.length) {
      if (this.count + CHUNK_NODES > DATA) throw new RangeError('the search tree needs more than 2^31 nodes');
      this.current = new Uint32Array(CHUNK_NODES * 2);
      this.chunks.push(this.current);
      this.next = 0;
    }
    this.current[this.next] = left;
    this.current[this.next + 1] = right;
    this.next += 2;
    return this.count++;
  }

  /** The left (0) or right (1) reference of a node. */
  child(node: number, bit: number): number {
    return this.chunks[node >>> CHUNK_BITS]![(node & (CHUNK_NODES - 1)) * 2 + bit]!;
  }

  /** The array containing a node, at {@link NodeStore.offset}. */
  chunkOf(node: number): Uint32Array {
    return this.chunks[node >>> CHUNK_BITS]!;
  }

  offset(node: number): number {
    return (node & (CHUNK_NODES - 1)) * 2;
  }
}
