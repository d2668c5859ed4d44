import { DATA_SEPARATOR_BYTES } from '../mmdb/mmdb-format.js';
import type { SearchTree } from '../mmdb/search-tree.js';

const UNSEEN = 0;
const OPEN = 255;

/** The result of verifying all nodes. */
export interface TreeFindings {
  /** Distinct offsets in the data section referenced by the tree. */
  readonly records: number;
  /** True for a referenced offset. */
  readonly isReferred: (offset: number) => boolean;
}

/**
 * Visits every node once: no record may be invalid, no path longer than an address, no node unreachable.
 *
 * @param bits of an address
 * @param dataBytes size of the data section
 * @param report receives one line per problem
 */
export function verifyTree(
  tree: SearchTree,
  bits: number,
  dataBytes: number,
  report: (problem: string) => void,
): TreeFindings {
  const referred = new ReferredOffsets(tree.nodeCount, dataBytes);
  if (!isSoundInOrder(tree, bits, referred)) {
    referred.clear();
    new DepthFirst(tree, bits, referred, report).run();
  }
  return { records: referred.count, isReferred: (offset) => referred.has(offset) };
}

/** Offsets in the data section that the tree refers to. */
class ReferredOffsets {
  count = 0;
  private readonly bitmap: Uint8Array;

  constructor(
    private readonly nodeCount: number,
    private readonly dataBytes: number,
  ) {
    this.bitmap = new Uint8Array(Math.ceil(dataBytes / 8) + 1);
  }

  /** @returns false for a record outside of the data section */
  add(record: number): boolean {
    const offset = record - this.nodeCount - DATA_SEPARATOR_BYTES;
    if (offset < 0 || offset >= this.dataBytes) return false;
    if (this.has(offset)) return true;
    this.bitmap[offset >>> 3]! |= 1 << (offset & 7);
    this.count++;
    return true;
  }

  has(offset: number): boolean {
    return (this.bitmap[offset >>> 3]! & (1 << (offset & 7))) !== 0;
  }

  clear(): void {
    this.bitmap.fill(0);
    this.count = 0;
  }
}

/**
 * Verifies a tree in one pass if all nodes precede their children, as most writers number them.
 *
 * @returns false if they do not, or there is a problem
 */
function isSoundInOrder(tree: SearchTree, bits: number, referred: ReferredOffsets): boolean {
  const { nodeCount } = tree;
  /** Nodes on the longest path to each, 0 before one leads there. */
  const depths = new Uint8Array(nodeCount);
  depths[0] = 1;
  for (let node = 0; node < nodeCount; node++) {
    const depth = depths[node]!;
    if (depth === 0 || depth > bits) return false;
    for (let bit = 0; bit < 2; bit++) {
      const record = tree.record(node, bit);
      if (record > nodeCount) {
        if (!referred.add(record)) return false;
      } else if (record < nodeCount) {
        if (record <= node) return false;
        if (depths[record]! <= depth) depths[record] = depth + 1;
      }
    }
  }
  return true;
}

/** Visits the nodes of any tree, and reports its problems. */
class DepthFirst {
  /** Each node's height, `UNSEEN`, or `OPEN` while it is on the current path. */
  private readonly heights: Uint8Array;

  constructor(
    private readonly tree: SearchTree,
    private readonly bits: number,
    private readonly referred: ReferredOffsets,
    private readonly report: (problem: string) => void,
  ) {
    this.heights = new Uint8Array(tree.nodeCount);
  }

  run(): void {
    const { heights, bits, report } = this;
    this.walk();
    if (heights[0]! > bits) report(`the search tree is deeper than the ${bits} bits of an address`);
    const unreached = heights.reduce((count, height) => count + (height === UNSEEN ? 1 : 0), 0);
    if (unreached > 0) report(`the search tree has ${unreached} unreachable nodes`);
  }

  /** With an explicit stack: a damaged tree must not overflow the call stack. */
  private walk(): void {
    const path = [0];
    for (let node; (node = path.at(-1)) !== undefined;) {
      const child = this.visit(node);
      if (child < 0) path.pop();
      else {
        this.heights[node] = OPEN;
        path.push(child);
      }
    }
  }

  /** @returns the child to visit next, or -1 if the node is finished */
  private visit(node: number): number {
    const { tree, heights, report } = this;
    const { nodeCount } = tree;
    const records = [tree.record(node, 0), tree.record(node, 1)];
    if (heights[node] === UNSEEN)
      for (const record of records)
        if (record > nodeCount && !this.referred.add(record))
          report(`the search tree has the invalid record ${record}`);
    let height = 1;
    for (const record of records) {
      if (record >= nodeCount) continue;
      if (heights[record] === UNSEEN && record !== node) return record;
      if (heights[record] === OPEN || record === node)
        report(`the search tree has a cycle at node ${record}`);
      else height = Math.max(height, heights[record]! + 1);
    }
    heights[node] = Math.min(height, OPEN - 1);
    return -1;
  }
}
