import { formatIpv4, formatIpv6 } from '../address/format-address.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import type { FamilyTree } from './family-tree.js';

/** The part of a tree that a walk needs. */
type Tree = Pick<FamilyTree, 'bits' | 'root' | 'nodeCount' | 'child' | 'isIpv4Alias'>;

/** A tree without any network. */
const NOTHING: Tree = { bits: 128, root: 0, nodeCount: 0, child: () => 0, isIpv4Alias: () => false };

const MAX_DEPTH = 128;

/**
 * Iterates over the networks of a tree in address order, or of two trees in parallel, where each network has a single
 * result in both. Alternative forms of IPv4 addresses are skipped.
 */
export class NetworkWalk {
  /** The network's first address and prefix length. IPv4 addresses use only the first word. */
  readonly address = new Uint32Array(4);
  length = 0;
  /** The trees' references; the tree's `nodeCount` means no data. */
  left = 0;
  right = 0;
  private readonly lefts = new Float64Array(MAX_DEPTH + 1);
  private readonly rights = new Float64Array(MAX_DEPTH + 1);
  private readonly lengths = new Uint8Array(MAX_DEPTH + 1);
  private waiting = 1;
  /** Limits the walk: a crafted tree that shares nodes repeatedly would take practically forever. */
  private steps: number;

  /** @param endsAt true for nodes of both trees that are returned as one network, although there are smaller ones below */
  constructor(
    private readonly leftTree: Tree,
    private readonly rightTree: Tree = NOTHING,
    private readonly endsAt?: (left: number, right: number) => boolean,
  ) {
    this.lefts[0] = leftTree.root;
    this.rights[0] = rightTree.root;
    this.steps = 4 * (leftTree.nodeCount + rightTree.nodeCount) + 1024;
  }

  /** Advances to the next network. @returns false at the end @throws {LookupFormatError} if the tree is damaged */
  next(): boolean {
    while (this.waiting > 0) {
      this.waiting--;
      this.enter(this.lengths[this.waiting]!);
      if (this.descend(this.lefts[this.waiting]!, this.rights[this.waiting]!)) return true;
    }
    return false;
  }

  /** Such as `10.0.0.0/8`. */
  get network(): string {
    const text = this.leftTree.bits === 32 ? formatIpv4(this.address[0]!) : formatIpv6(this.address, 0);
    return `${text}/${this.length}`;
  }

  /** Enters a pending right half: sets the last bit of its prefix and clears those after it. */
  private enter(length: number): void {
    this.length = length;
    if (length === 0) return;
    const word = (length - 1) >>> 5;
    const shift = 31 - ((length - 1) & 31);
    this.address[word] = ((this.address[word]! | (1 << shift)) & (-1 << shift)) >>> 0;
    this.address.fill(0, word + 1);
  }

  /** Descends to the left. @returns true when it reaches a network */
  private descend(left: number, right: number): boolean {
    const { leftTree, rightTree, address } = this;
    const leftNodes = leftTree.nodeCount;
    const rightNodes = rightTree.nodeCount;
    for (; ; this.length++) {
      if (leftTree.isIpv4Alias(address, this.length, left)) left = leftNodes;
      if (right !== rightNodes && rightTree.isIpv4Alias(address, this.length, right)) right = rightNodes;
      if ((left >= leftNodes && right >= rightNodes) || this.endsAt?.(left, right)) {
        this.left = left;
        this.right = right;
        return left !== leftNodes || right !== rightNodes;
      }
      if (this.length === leftTree.bits || this.steps-- === 0)
        throw new LookupFormatError('the search tree is damaged: it has paths without end');
      this.lefts[this.waiting] = left < leftNodes ? leftTree.child(left, 1) : left;
      this.rights[this.waiting] = right < rightNodes ? rightTree.child(right, 1) : right;
      this.lengths[this.waiting++] = this.length + 1;
      if (left < leftNodes) left = leftTree.child(left, 0);
      if (right < rightNodes) right = rightTree.child(right, 0);
    }
  }
}
