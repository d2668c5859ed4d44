import { compareWords, copyWords, nextAddress } from '../address/address-words.js';
import { formatIpv4, formatIpv6 } from '../address/format-address.js';
import type { FamilyTree } from '../networks/family-tree.js';
import { NetworkWalk } from '../networks/network-walk.js';

/** A dump's address format: `range` in two columns, or `cidr` in one column of networks. */
export type DumpForm = 'range' | 'cidr';

/** Iterates over where a tree's records are found, in address order: networks, or ranges of adjacent ones. */
export class RecordRanges {
  /** The tree's reference to the record. */
  reference = 0;
  private readonly walk: NetworkWalk;
  private readonly width: 1 | 4;
  private readonly from = new Uint32Array(4);
  private readonly to = new Uint32Array(4);
  private readonly after = new Uint32Array(4);
  private length = 0;
  private hasNext: boolean;

  constructor(
    tree: FamilyTree,
    private readonly form: DumpForm,
  ) {
    this.walk = new NetworkWalk(tree);
    this.width = tree.bits === 32 ? 1 : 4;
    this.hasNext = this.walk.next();
  }

  /** Advances to the next range. @returns false at the end @throws {LookupFormatError} if the tree is damaged */
  next(): boolean {
    if (!this.hasNext) return false;
    const { walk, width, from, to, after } = this;
    this.reference = walk.left;
    this.length = walk.length;
    copyWords(walk.address, 0, from, 0, width);
    do {
      lastOf(walk, to, width);
      nextAddress(to, 0, after, 0, width);
      this.hasNext = walk.next();
    } while (this.hasNext && this.form === 'range' && this.continues);
    return true;
  }

  /** The first address, as text. */
  get first(): string {
    return this.textOf(this.from);
  }

  /** The last address, as text. */
  get last(): string {
    return this.textOf(this.to);
  }

  /** Such as `10.0.0.0/8`, in the form `cidr`. */
  get network(): string {
    return `${this.first}/${this.length}`;
  }

  private get continues(): boolean {
    const { walk, after, width, reference } = this;
    return walk.left === reference && compareWords(walk.address, 0, after, 0, width) === 0;
  }

  private textOf(words: Uint32Array): string {
    return this.width === 1 ? formatIpv4(words[0]!) : formatIpv6(words, 0);
  }
}

function lastOf({ address, length }: NetworkWalk, last: Uint32Array, width: number): void {
  for (let word = 0; word < width; word++) {
    const kept = Math.min(32, Math.max(0, length - 32 * word));
    last[word] = kept === 32 ? address[word]! : address[word]! | (0xffff_ffff >>> kept);
  }
}
