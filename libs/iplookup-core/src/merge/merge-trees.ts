import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import { DATA, EMPTY } from '../mmdb/node-store.js';
import { FamilyTree } from '../networks/family-tree.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import type { MergedTree, RecordReferences } from './merged-tree.js';
import { PartScan } from './part-scan.js';

/** The values of an address, by the references that the layers have for it. */
export interface ReferenceJoiner extends RecordReferences {
  /** @returns the new tree's reference for the references from `at` on, one per layer, of which several may have data */
  join(references: Float64Array, at: number): number;
}

/**
 * Merges the search trees of several lookups into one.
 *
 * @returns the root
 * @throws {LookupFormatError} if one of them is damaged
 */
export function mergeTrees(
  nodes: MergedTree,
  layers: readonly ParsedLookup[],
  joiner: ReferenceJoiner,
): number {
  const ipv4 = new FamilyMerge(nodes, layers, joiner, 4).merge();
  const root = new FamilyMerge(nodes, layers, joiner, 6, ipv4).merge();
  return root < DATA ? root : nodes.add(root, root);
}

/** Merges one family's trees, top down, and numbers the nodes of the result bottom up. */
class FamilyMerge {
  private readonly trees: readonly FamilyTree[];
  private readonly parts: readonly PartScan[];
  private readonly bits: 32 | 128;
  /** The references on the path, one per layer and depth. */
  private readonly references: Float64Array;
  private readonly address = new Uint32Array(4);
  /** Limits the work: a crafted tree that shares nodes repeatedly would take practically forever. */
  private steps: number;

  /** @param ipv4Root of the finished tree, for IPv6: reached by all forms of IPv4 addresses */
  constructor(
    private readonly nodes: MergedTree,
    layers: readonly ParsedLookup[],
    private readonly joiner: ReferenceJoiner,
    private readonly family: 4 | 6,
    private readonly ipv4Root: number = EMPTY,
  ) {
    this.trees = layers.map((lookup) => new FamilyTree(lookup, family));
    this.parts = this.trees.map((tree, layer) => new PartScan(tree, layer, joiner));
    this.bits = family === 4 ? 32 : 128;
    this.references = new Float64Array((this.bits + 1) * this.trees.length);
    this.steps = 4 * this.trees.reduce((sum, { nodeCount }) => sum + nodeCount, 0) + 1024;
  }

  merge(): number {
    this.trees.forEach(({ root }, layer) => (this.references[layer] = root));
    return this.below(0, EMPTY);
  }

  /**
   * @param depth of the prefix in `address`
   * @param gap what the addresses without data refer to
   */
  private below(depth: number, gap: number): number {
    if (this.family === 6) {
      if (depth === 96 && isIpv4Block(this.address)) return this.ipv4Root;
      if (depth === 16 && this.address[0] === SIX_TO_FOUR) gap = this.ipv4Root;
    }
    const at = depth * this.trees.length;
    const { withData, withNodes, last } = this.survey(at, depth);
    if (withNodes === 0 && !this.leadsToIpv4(depth)) {
      if (withData === 0) return gap;
      return withData === 1
        ? this.joiner.joinOne(last, this.references[at + last]!) >>> 0
        : this.joiner.join(this.references, at);
    }
    if (withData === 1 && gap === EMPTY && !this.touchesIpv4(depth))
      return this.copy(this.trees[last]!, last, this.references[at + last]!, depth) >>> 0;
    this.assertEnds(depth);
    const left = this.half(depth, 0, gap);
    const right = this.half(depth, 1, gap);
    return this.join(left, right);
  }

  /** Counts the layers with data and with nodes. An IPv4 address in another form counts as neither. */
  private survey(at: number, depth: number): { withData: number; withNodes: number; last: number } {
    const { trees, references, address } = this;
    let withData = 0;
    let withNodes = 0;
    let last = 0;
    for (let layer = 0; layer < trees.length; layer++) {
      const tree = trees[layer]!;
      if (tree.isIpv4Alias(address, depth, references[at + layer]!)) references[at + layer] = tree.nodeCount;
      const reference = references[at + layer]!;
      if (reference === tree.nodeCount) continue;
      withData++;
      last = layer;
      if (reference < tree.nodeCount) withNodes++;
    }
    return { withData, withNodes, last };
  }

  private half(depth: number, bit: 0 | 1, gap: number): number {
    const { trees, references, address } = this;
    const at = depth * trees.length;
    for (let layer = 0; layer < trees.length; layer++) {
      const tree = trees[layer]!;
      const reference = references[at + layer]!;
      references[at + trees.length + layer] =
        reference < tree.nodeCount ? tree.child(reference, bit) : reference;
    }
    const word = depth >>> 5;
    const mask = 1 << (31 - (depth & 31));
    address[word] = bit === 1 ? address[word]! | mask : address[word]! & ~mask;
    const result = this.below(depth + 1, gap < DATA ? this.nodes.child(gap, bit) : gap);
    address[word] = address[word]! & ~mask;
    return result;
  }

  /**
   * Copies the part of a tree that no other layer has.
   *
   * @returns the reference's bits as a signed number: V8 stores larger ones on the heap, which takes twice as long
   */
  private copy(tree: FamilyTree, layer: number, reference: number, depth: number): number {
    if (reference === tree.nodeCount || tree.isIpv4Alias(this.address, depth, reference)) return EMPTY | 0;
    if (reference > tree.nodeCount) return this.joiner.joinOne(layer, reference);
    const size = this.parts[layer]!.sizeOf(reference, depth, this.address);
    if (size > 0) return this.nodes.addPart(layer, reference, size);
    this.assertEnds(depth);
    const left = this.copy(tree, layer, tree.child(reference, 0), depth + 1);
    const right = this.copy(tree, layer, tree.child(reference, 1), depth + 1);
    return left === right && left < 0 ? left : this.nodes.add(left, right);
  }

  private join(left: number, right: number): number {
    return left === right && left >= DATA ? left : this.nodes.add(left, right);
  }

  private assertEnds(depth: number): void {
    if (depth === this.bits || this.steps-- === 0)
      throw new LookupFormatError('the search tree is damaged: it has paths without end');
  }

  /** True if IPv4 addresses in some form are below this prefix, and other addresses, too. */
  private leadsToIpv4(depth: number): boolean {
    if (this.family === 4) return false;
    const [first, second, third] = this.address as unknown as [number, number, number];
    if (depth < 16 && first === (SIX_TO_FOUR & prefixMask(depth)) >>> 0) return true;
    if (depth >= 96 || first !== 0 || second !== 0) return false;
    return third === 0 || (depth > 80 && third === (MAPPED & prefixMask(depth - 64)) >>> 0);
  }

  /** True if IPv4 addresses in some form may be below this prefix, or it below them. */
  private touchesIpv4(depth: number): boolean {
    if (this.family === 4) return false;
    const [first] = this.address as unknown as [number];
    return depth < 16 || first === 0 || first >>> 16 === SIX_TO_FOUR >>> 16;
  }
}

/** First word of 2002::/16. */
const SIX_TO_FOUR = 0x2002_0000;
/** Third word of ::ffff:0:0/96. */
const MAPPED = 0xffff;

/** True for ::/96 and ::ffff:0:0/96. */
function isIpv4Block(address: Uint32Array): boolean {
  return address[0] === 0 && address[1] === 0 && (address[2] === 0 || address[2] === MAPPED);
}

function prefixMask(length: number): number {
  return length === 0 ? 0 : -1 << (32 - length);
}
