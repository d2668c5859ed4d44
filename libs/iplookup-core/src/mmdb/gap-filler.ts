import { compareWords, copyWords, nextAddress, previousAddress } from '../address/address-words.js';
import { EMPTY } from './node-store.js';
import type { AddressTree } from './tree-builder.js';

/** An address range with values for addresses that no row covers. */
export interface Island {
  readonly first: Uint32Array;
  readonly last: Uint32Array;
  /** Sets the values from `from` to `to`, within the island. */
  fill(from: Uint32Array, to: Uint32Array): void;
}

/** Passes ranges of rows to a tree builder and fills the gaps from islands; other gaps stay empty. */
export class GapFiller {
  /** The first address that is not set yet; meaningless once `done`. */
  private readonly position: Uint32Array;
  private readonly gapEnd: Uint32Array;
  private readonly from: Uint32Array;
  private readonly to: Uint32Array;
  private island = 0;
  private done = false;

  /** @param islands ascending and disjoint */
  constructor(
    private readonly tree: AddressTree,
    private readonly width: 1 | 4,
    private readonly islands: readonly Island[],
  ) {
    this.position = new Uint32Array(width);
    this.gapEnd = new Uint32Array(width);
    this.from = new Uint32Array(width);
    this.to = new Uint32Array(width);
  }

  /** Adds a range above all previous ones: its first address is at `at`, its last one at `at + width`. */
  add(words: Uint32Array, at: number, value: number): void {
    if (compareWords(words, at, this.position, 0, this.width) > 0) {
      previousAddress(words, at, this.gapEnd, 0, this.width);
      this.fillGap();
    }
    this.tree.set(words, at, value);
    this.done = !nextAddress(words, at + this.width, this.position, 0, this.width);
  }

  /** True if no address is left. */
  get isDone(): boolean {
    return this.done;
  }

  /** Writes the first address that is not set yet, and the first one from there on that is in an island. */
  describe(position: Uint32Array, limit: Uint32Array): void {
    position.set(this.position);
    limit.fill(0xffff_ffff);
    for (let island = this.island; island < this.islands.length; island++) {
      const { first, last } = this.islands[island]!;
      if (compareWords(last, 0, this.position, 0, this.width) < 0) continue;
      limit.set(first);
      return;
    }
  }

  /** Continues from an address up to which the tree was set elsewhere. */
  moveTo(position: Uint32Array, done: boolean): void {
    copyWords(position, 0, this.position, 0, this.width);
    this.done = done;
  }

  /** @returns the reference of the tree's root */
  finish(): number {
    this.gapEnd.fill(0xffff_ffff);
    if (!this.done) this.fillGap();
    return this.tree.finish();
  }

  /** Fills `position` to `gapEnd`. */
  private fillGap(): void {
    const { position, gapEnd, islands, width } = this;
    for (; this.island < islands.length; this.island++) {
      const { first, last } = islands[this.island]!;
      if (compareWords(last, 0, position, 0, width) < 0) continue;
      if (compareWords(first, 0, gapEnd, 0, width) > 0) break;
      if (compareWords(first, 0, position, 0, width) > 0) this.tree.set(position, 0, EMPTY);
      if (this.fillIsland(islands[this.island]!)) return;
    }
    this.tree.set(position, 0, EMPTY);
  }

  /** @returns true if the gap ends within the island */
  private fillIsland(island: Island): boolean {
    const { position, gapEnd, from, to, width } = this;
    const later = compareWords(island.first, 0, position, 0, width) > 0 ? island.first : position;
    const endsWithin = compareWords(island.last, 0, gapEnd, 0, width) >= 0;
    copyWords(later, 0, from, 0, width);
    copyWords(endsWithin ? gapEnd : island.last, 0, to, 0, width);
    island.fill(from, to);
    nextAddress(to, 0, position, 0, width);
    return endsWithin;
  }
}
