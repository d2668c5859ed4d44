import type { ParsedLookup } from '../mmdb/parsed-lookup.js';

/** The first word of 6to4 addresses, 2002::/16, holds this in its upper half. */
const SIX_TO_FOUR = 0x2002;

/** The part of a search tree for one address family, with the file's references. */
export class FamilyTree {
  /** Bits of an address. */
  readonly bits: 32 | 128;
  readonly root: number;
  /** References below this are nodes; this one means no data. */
  readonly nodeCount: number;
  private readonly ipv4Root: number;

  constructor(
    private readonly lookup: ParsedLookup,
    readonly family: 4 | 6,
  ) {
    const { metadata, tree } = lookup;
    this.nodeCount = tree.nodeCount;
    this.bits = family === 4 ? 32 : 128;
    this.ipv4Root = metadata.ipVersion === 4 ? 0 : tree.walk(0, new Uint32Array(4), 96);
    this.root = family === 4 ? this.ipv4Root : metadata.ipVersion === 4 ? tree.nodeCount : 0;
  }

  /** A node's child. */
  child(node: number, bit: 0 | 1): number {
    return this.lookup.tree.record(node, bit);
  }

  /**
   * True if this prefix contains IPv4 addresses in another form: ::/96, ::ffff:0:0/96, and 6to4 addresses without
   * rows in the input.
   *
   * @param length bits of `address` followed to reach `reference`
   */
  isIpv4Alias(address: Uint32Array, length: number, reference: number): boolean {
    if (this.family === 4 || reference === this.nodeCount) return false;
    if (length === 96 && address[0] === 0 && address[1] === 0 && (address[2] === 0 || address[2] === 0xffff))
      return true;
    if (reference === this.ipv4Root && reference < this.nodeCount) return length > 0;
    return address[0]! >>> 16 === SIX_TO_FOUR && length >= 16 && reference === this.ipv4At(address, length);
  }

  /** Looks up the IPv4 address in a 6to4 address, as far as the prefix goes. */
  private ipv4At(address: Uint32Array, length: number): number {
    let reference = this.ipv4Root;
    for (let bit = 16; bit < Math.min(length, 48) && reference < this.nodeCount; bit++) {
      reference = this.child(reference, ((address[bit >>> 5]! >>> (31 - (bit & 31))) & 1) as 0 | 1);
    }
    return reference;
  }
}

/** The trees of both families. */
export function familyTrees(lookup: ParsedLookup): readonly [ipv4: FamilyTree, ipv6: FamilyTree] {
  return [new FamilyTree(lookup, 4), new FamilyTree(lookup, 6)];
}
