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
  const { nodeCount } = tree;
  /** Each node's height, `UNSEEN`, or `OPEN` while it is on the current path. */
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

  /** @returns the child to visit next, or -1 if the node is finished */
  const visit = (node: number): number => {
    const records = [tree.record(node, 0), tree.record(node, 1)];
    if (heights[node] === UNSEEN) for (const record of records) if (record > nodeCount) refer(record);
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
  };

  walk(visit, heights);
  if (heights[0]! > bits) report(`the search tree is deeper than the ${bits} bits of an address`);
  const unreached = heights.reduce((count, height) => count + (height === UNSEEN ? 1 : 0), 0);
  if (unreached > 0) report(`the search tree has ${unreached} unreachable nodes`);
  return { records, isReferred: (offset) => (referred[offset >>> 3]! & (1 << (offset & 7))) !== 0 };
}

/** Depth-first with an explicit stack: a damaged tree must not overflow the call stack. */
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
