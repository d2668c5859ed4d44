import { DATA_SEPARATOR_BYTES } from '../mmdb/mmdb-format.js';
import type { SearchTree } from '../mmdb/search-tree.js';

const UNSEEN = 0;
const OPEN = 255;

/** What a walk over all nodes found. */
export interface TreeFindings {
  /** Distinct places in the data section that the tree leads to. */
  readonly records: number;
  /** True for such a place, by its offset in the data section. */
  readonly isReferred: (offset: number) => boolean;
}

/**
 * Walks over every node once: no record may be invalid, no path longer than an address, no node out of reach.
 *
 * @param bits of an address
 * @param dataBytes size of the data section
 * @param report takes one line for each thing that is wrong
 */
export function verifyTree(
  tree: SearchTree,
  bits: number,
  dataBytes: number,
  report: (problem: string) => void,
): TreeFindings {
  const { nodeCount } = tree;
  /** Longest way down from each node, or `UNSEEN`, or `OPEN` while it is on the current path. */
  const heights = new Uint8Array(nodeCount);
  const referred = new Uint8Array(Math.ceil(dataBytes / 8) + 1);
  let records = 0;

  const refer = (record: number): void => {
    const offset = record - nodeCount - DATA_SEPARATOR_BYTES;
    if (offset < 0 || offset >= dataBytes) report(`the search tree has the invalid record ${record}`);
    else if ((referred[offset >>> 3]! & (1 << (offset & 7))) === 0) {
      referred[offset >>> 3]! |= 1 << (offset & 7);
      records++;
    }
  };

  /** @returns the node to go down to first, or -1 when the node is finished */
  const visit = (node: number): number => {
    const records = [tree.record(node, 0), tree.record(node, 1)];
    if (heights[node] === UNSEEN) for (const record of records) if (record > nodeCount) refer(record);
    let height = 1;
    for (const record of records) {
      if (record >= nodeCount) continue;
      if (heights[record] === UNSEEN && record !== node) return record;
      if (heights[record] === OPEN || record === node)
        report(`the search tree runs in a circle at node ${record}`);
      else height = Math.max(height, heights[record]! + 1);
    }
    heights[node] = Math.min(height, OPEN - 1);
    return -1;
  };

  walk(visit, heights);
  if (heights[0]! > bits) report(`the search tree is deeper than the ${bits} bits of an address`);
  const unreached = heights.reduce((count, height) => count + (height === UNSEEN ? 1 : 0), 0);
  if (unreached > 0) report(`the search tree has ${unreached} nodes that nothing leads to`);
  return { records, isReferred: (offset) => (referred[offset >>> 3]! & (1 << (offset & 7))) !== 0 };
}

/** Depth first, with a stack of its own: a damaged tree must not overflow that of the program. */
function walk(visit: (node: number) => number, heights: Uint8Array): void {
  const path = [0];
  for (let node; (node = path.at(-1)) !== undefined;) {
    const child = visit(node);
    if (child < 0) path.pop();
    else {
      heights[node] = OPEN;
      path.push(child);
    }
  }
}
