import type { FamilyTree } from '../networks/family-tree.js';
import type { RecordReferences } from './merged-tree.js';

/**
 * Finds parts of a layer's tree that a merged tree can take over as they are: each node is followed by those on its
 * right, then by those on its left, which is how this library writes trees. Others have to be built anew.
 */
export class PartScan {
  /** Nodes that may still be visited: a tree that shares nodes has more paths than nodes. */
  private left: number;
  private lastReference = 0;
  private lastUsed = 0;

  constructor(
    private readonly tree: FamilyTree,
    private readonly layer: number,
    private readonly references: RecordReferences,
  ) {
    this.left = tree.nodeCount;
  }

  /**
   * Uses the records below a node, in the order of their addresses.
   *
   * @param address of the node, for the first `depth` bits
   * @returns how many nodes the part has; 0 if they are in another order
   */
  sizeOf(node: number, depth: number, address: Uint32Array): number {
    const end = this.endOf(node, depth, address);
    // Trees of other programs are not tried again and again.
    if (end === 0) this.left = 0;
    return end === 0 ? 0 : end - node;
  }

  /** @returns the node after the part's last one, or 0 */
  private endOf(node: number, depth: number, address: Uint32Array): number {
    const { tree } = this;
    const { nodeCount } = tree;
    if (depth === tree.bits || this.left === 0 || tree.isIpv4Alias(address, depth, node)) return 0;
    this.left--;
    const left = tree.child(node, 0);
    const right = tree.child(node, 1);
    if (left === right || (left < nodeCount && left <= node) || (right < nodeCount && right !== node + 1))
      return 0;
    let onLeft = 0;
    let leftEnd = 0;
    if (left < nodeCount) {
      leftEnd = this.endOf(left, depth + 1, address);
      if (leftEnd === 0) return 0;
    } else if (left > nodeCount) onLeft = this.use(left);
    let rightEnd = node + 1;
    if (right < nodeCount) {
      rightEnd = this.endOf(right, depth + 1, address);
      if (rightEnd === 0) return 0;
    } else if (right > nodeCount && this.use(right) === onLeft) return 0;
    if (left >= nodeCount) return rightEnd;
    return left === rightEnd ? leftEnd : 0;
  }

  /** Neighbours often have the same record: most are parts of one row's range. */
  private use(reference: number): number {
    if (reference !== this.lastReference) {
      this.lastReference = reference;
      this.lastUsed = this.references.joinOne(this.layer, reference);
    }
    return this.lastUsed;
  }
}
