import { copyWords, highestDifference, trailingZeros } from '../address/address-words.js';
import { DATA, EMPTY, type NodeStore } from './node-store.js';

/**
 * Builds a search tree bottom-up from stretches of addresses in rising order, in time linear to its nodes.
 *
 * Only the path from the root to the current address is open: per height, `left` keeps the finished left half where the
 * path goes right. Each boundary between two stretches closes the path up to where the two part; equal halves become
 * one, so the tree has as few nodes as can be.
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
   * From this address on, until the next call, all addresses have the reference `value`. Addresses must rise; the same
   * one again replaces its value. A node as value must be followed by the address after the block it stands for.
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

  /** @returns the reference of the root: not a node when all addresses have the same value */
  finish(): number {
    return this.close(this.bits);
  }

  /** Closes the current stretch: the reference of what lies below height `top` on its path. */
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

  /** Below height `top`, the new path's left halves all belong to the stretch that ends. */
  private open(words: Uint32Array, at: number, top: number): void {
    for (let word = 0; word <= top >>> 5; word++) {
      let bits = words[at + this.width - 1 - word]!;
      if (word === top >>> 5) bits &= ~(-1 << (top & 31));
      for (; bits !== 0; bits &= bits - 1) this.left[32 * word + 31 - Math.clz32(bits & -bits)] = this.value;
    }
  }
}
