import type { SearchTree } from '../mmdb/search-tree.js';

/**
 * The nodes of a tree below which every address has a record. It takes a bit for each node. In trees whose nodes do not precede
 * their children, only some are found.
 */
export class FullNodes {
  private readonly nodeCount: number;
  private readonly marks: Uint8Array;

  constructor(tree: SearchTree) {
    this.nodeCount = tree.nodeCount;
    this.marks = new Uint8Array((tree.nodeCount >>> 3) + 1);
    for (let node = tree.nodeCount - 1; node >= 0; node--)
      if (this.has(tree.record(node, 0)) && this.has(tree.record(node, 1)))
        this.marks[node >>> 3]! |= 1 << (node & 7);
  }

  /** True if all addresses of a reference have records. */
  has(reference: number): boolean {
    if (reference >= this.nodeCount) return reference > this.nodeCount;
    return (this.marks[reference >>> 3]! & (1 << (reference & 7))) !== 0;
  }
}
