import { copyWords, highestDifference, trailingZeros } from '../address/address-words.js';
import { DATA, EMPTY, type NodeStore } from './node-store.js';

/**
 * Builds a search tree bottom-up from ascending address ranges, in time linear in its nodes.
 *
 * Only the path from the root to the current address is open: per height, `left` keeps the finished left half if the
 * path goes right. Each boundary between two ranges closes the path up to where they diverge; equal halves are
 * merged, so that the tree has the minimum number of nodes.
 */
export class TreeBuilder {
  private readonly left: Uint32Array;
  private readonly start: Uint32Array;
  private readonly bits: number;
  private value = EMPTY;

  /** @param width words per address: 1 (IPv4) or 4 (IPv6) */
  constructor(
    private readonly nodes: NodeStore,
    private readonly width: 1 | 4,
  ) {
    this.bits = 32 * width;
    this.left = new Uint32Array(this.bits);
    this.start = new Uint32Array(width);
  }

  /**
   * Sets the reference of all addresses from this one until the next call. Addresses must be ascending; repeating one
   * replaces its value. If the value is a node, the next call must be for the address after its block.
   */
  set(words: Uint32Array, at: number, value: number): void {
    if (value === this.value && value >= DATA) return;
    const top = highestDifference(this.start, 0, words, at, this.width);
    if (top >= 0) {
      this.left[top] = this.close(top);
      this.open(words, at, top);
      copyWords(words, at, this.start, 0, this.width);
    }
    this.value = value;
  }

  /** @returns the root's reference, which is not a node if all addresses have the same value */
  finish(): number {
    return this.close(this.bits);
  }

  /** Closes the current range. @returns the reference of the part below height `top` on its path */
  private close(top: number): number {
    const { start, left, value, nodes, width } = this;
    let subtree = value;
    for (let height = Math.min(trailingZeros(start, 0, width), top); height < top;) {
      let path = start[width - 1 - (height >>> 5)]! >>> (height & 31);
      for (const stop = Math.min(top, (height | 31) + 1); height < stop; height++, path >>>= 1) {
        const goesRight = (path & 1) === 1;
        const first = goesRight ? left[height]! : subtree;
        const second = goesRight ? subtree : value;
        subtree = first === second && first >= DATA ? first : nodes.add(first, second);
      }
    }
    return subtree;
  }

  /** Below height `top`, the new path's left halves belong to the range that ends. */
  private open(words: Uint32Array, at: number, top: number): void {
    for (let word = 0; word <= top >>> 5; word++) {
      let bits = words[at + this.width - 1 - word]!;
      if (word === top >>> 5) bits &= ~(-1 << (top & 31));
      for (; bits !== 0; bits &= bits - 1) this.left[32 * word + 31 - Math.clz32(bits & -bits)] = this.value;
    }
  }
}

/** A tree of one address family under construction. */
export type AddressTree = Pick<TreeBuilder, 'set' | 'finish'>;
