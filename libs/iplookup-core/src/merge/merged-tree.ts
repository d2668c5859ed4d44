import { EMPTY, NodeStore } from '../mmdb/node-store.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { Uint32List } from '../values/uint32-list.js';

/** Translates a layer's reference to a record. */
export interface RecordReferences {
  /** @returns the reference of the merged tree, as a signed number: V8 stores larger ones on the heap */
  joinOne(layer: number, reference: number): number;
}

/**
 * The nodes of a merged tree, children first. Where only one layer has data, its part of the tree is not stored: it is
 * read from the layer again when the merged tree is written.
 */
export class MergedTree {
  count = 0;
  private readonly nodes = new NodeStore();
  /** For each part: number of its first node, number after its last, which is its top. */
  private readonly starts = new Uint32List();
  private readonly ends = new Uint32List();
  /** For each part: its layer and the top in the layer's tree. */
  private readonly layers = new Uint32List();
  private readonly tops = new Uint32List();
  /** Nodes in all parts up to each. */
  private readonly copied = new Uint32List();

  constructor(
    private readonly lookups: readonly ParsedLookup[],
    private readonly references: RecordReferences,
  ) {}

  /** Nodes that take memory. */
  get stored(): number {
    return this.nodes.count;
  }

  /** @returns the new node's number */
  add(left: number, right: number): number {
    this.nodes.add(left, right);
    return this.count++;
  }

  /**
   * Adds a part of a layer's tree: `size` nodes from `top` on, which precede their children, those on the right first.
   *
   * @returns the number of its top
   */
  addPart(layer: number, top: number, size: number): number {
    this.starts.push(this.count);
    this.copied.push(this.count - this.nodes.count + size);
    this.count += size;
    this.ends.push(this.count);
    this.layers.push(layer);
    this.tops.push(top);
    return this.count - 1;
  }

  /** The left (0) or right (1) reference of a node. */
  child(node: number, bit: 0 | 1): number {
    const pair = new Uint32Array(2);
    this.copy(node, 1, pair);
    return pair[bit]!;
  }

  /** Writes both references of `count` nodes from `first` on. */
  copy(first: number, count: number, target: Uint32Array): void {
    const last = first + count;
    let part = this.partBefore(first);
    for (let node = first; node < last;) {
      const to = target.subarray(2 * (node - first));
      const end = part < 0 ? 0 : this.ends.at(part);
      if (node < end) {
        const until = Math.min(end, last);
        this.copyPart(part, node, until, to);
        node = until;
      } else {
        const next = ++part < this.starts.length ? this.starts.at(part) : this.count;
        const until = Math.min(next, last);
        this.nodes.copy(node - (part === 0 ? 0 : this.copied.at(part - 1)), until - node, to);
        node = until;
      }
    }
  }

  /** Writes the references of nodes of a part. */
  private copyPart(part: number, first: number, end: number, target: Uint32Array): void {
    const layer = this.layers.at(part);
    const { tree } = this.lookups[layer]!;
    /** The number of a node of the layer is this minus its own. */
    const turn = this.ends.at(part) - 1 + this.tops.at(part);
    const empty = tree.nodeCount;
    for (let node = first, to = 0; node < end; node++) {
      for (let bit = 0; bit < 2; bit++) {
        const reference = tree.record(turn - node, bit as 0 | 1);
        target[to++] =
          reference < empty
            ? turn - reference
            : reference === empty
              ? EMPTY
              : this.references.joinOne(layer, reference);
      }
    }
  }

  /** The last part that starts at `node` or before, or -1. */
  private partBefore(node: number): number {
    let low = -1;
    for (let high = this.starts.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (this.starts.at(middle) <= node) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
