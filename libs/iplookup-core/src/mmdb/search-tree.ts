import type { LookupMetadata } from './metadata.js';

/** The search tree of a lookup file: from the bits of an address to a record number. */
export class SearchTree {
  readonly nodeCount: number;
  /** Bits followed by the last walk, which is the prefix length of its result. */
  depth = 0;
  protected readonly view: DataView;
  private readonly recordSize: LookupMetadata['recordSize'];

  constructor(bytes: Uint8Array, metadata: LookupMetadata) {
    this.nodeCount = metadata.nodeCount;
    this.recordSize = metadata.recordSize;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The left (0) or right (1) record of a node. */
  record(node: number, bit: number): number {
    const { view } = this;
    if (this.recordSize === 24)
      return bit === 1 ? view.getUint32(node * 6 + 2) & 0xff_ffff : view.getUint32(node * 6) >>> 8;
    if (this.recordSize === 32) return view.getUint32(node * 8 + 4 * bit);
    if (bit === 1) return view.getUint32(node * 7 + 3) & 0xfff_ffff;
    const word = view.getUint32(node * 7);
    return (word >>> 8) | ((word & 0xf0) << 20);
  }

  /**
   * Follows the bits of an address, most significant first, until it leaves the tree.
   *
   * @param start node to start from; a number that is not a node is returned unchanged
   * @param words the address; its first `width` bits count
   * @param from number of its bits that lead to `start`
   * @returns the node count if there is no data, otherwise more (see {@link SearchTree.depth})
   */
  walk(start: number, words: Uint32Array, width: number, from = 0): number {
    let node = start;
    let depth = from;
    for (; depth < width && node < this.nodeCount; depth++) {
      node = this.record(node, (words[depth >>> 5]! >>> (31 - (depth & 31))) & 1);
    }
    this.depth = depth;
    return node;
  }
}
