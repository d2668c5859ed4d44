import type { LookupMetadata } from './metadata.js';

/** Reads the record of a node: 0 for the left one, 1 for the right one. */
type RecordReader = (bytes: Uint8Array, node: number, bit: number) => number;

const RECORD_READERS: Readonly<Record<LookupMetadata['recordSize'], RecordReader>> = {
  24: (bytes, node, bit) => {
    const at = node * 6 + bit * 3;
    return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  },
  28: (bytes, node, bit) => {
    const at = node * 7;
    if (bit === 0) {
      return ((bytes[at + 3]! & 0xf0) << 20) | (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
    }
    return ((bytes[at + 3]! & 0x0f) << 24) | (bytes[at + 4]! << 16) | (bytes[at + 5]! << 8) | bytes[at + 6]!;
  },
  32: (bytes, node, bit) => {
    const at = node * 8 + bit * 4;
    return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
  },
};

/** The search tree of a lookup file: from the bits of an address to a record number. */
export class SearchTree {
  readonly nodeCount: number;
  /** Bits followed by the last walk, which is the prefix length of its result. */
  depth = 0;
  private readonly readRecord: RecordReader;

  constructor(
    private readonly bytes: Uint8Array,
    metadata: LookupMetadata,
  ) {
    this.nodeCount = metadata.nodeCount;
    this.readRecord = RECORD_READERS[metadata.recordSize];
  }

  /** The left (0) or right (1) record of a node. */
  record(node: number, bit: 0 | 1): number {
    return this.readRecord(this.bytes, node, bit);
  }

  /**
   * Follows the bits of an address, most significant first, until it leaves the tree.
   *
   * @param start node to start from; a number that is not a node is returned unchanged
   * @param words the address; its first `width` bits count
   * @returns the node count if there is no data, otherwise more (see {@link SearchTree.depth})
   */
  walk(start: number, words: Uint32Array, width: number): number {
    let node = start;
    let depth = 0;
    for (; depth < width && node < this.nodeCount; depth++) {
      node = this.readRecord(this.bytes, node, (words[depth >>> 5]! >>> (31 - (depth & 31))) & 1);
    }
    this.depth = depth;
    return node;
  }
}
