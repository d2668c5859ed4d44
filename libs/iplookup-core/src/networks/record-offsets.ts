import { familyTrees } from './family-tree.js';
import { NetworkWalk } from './network-walk.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';

/** The offsets of all referenced records, ascending. Temporarily takes an eighth of the data section's size. */
export function recordOffsets(lookup: ParsedLookup): Uint32Array {
  const marks = new Uint8Array((lookup.data.length >>> 3) + 1);
  let count = 0;
  for (const tree of familyTrees(lookup)) {
    for (const walk = new NetworkWalk(tree); walk.next();) {
      const offset = lookup.offsetOf(walk.left);
      const bit = 1 << (offset & 7);
      if ((marks[offset >>> 3]! & bit) !== 0) continue;
      marks[offset >>> 3]! |= bit;
      count++;
    }
  }
  const offsets = new Uint32Array(count);
  for (let byte = 0, next = 0; byte < marks.length; byte++) {
    for (let bits = marks[byte]!; bits !== 0; bits &= bits - 1) {
      offsets[next++] = byte * 8 + 31 - Math.clz32(bits & -bits);
    }
  }
  return offsets;
}

/** The index of an offset in {@link recordOffsets}. */
export function placeOf(offset: number, offsets: Uint32Array): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
