import type { LookupMetadata } from './metadata.js';
import { SearchTree } from './search-tree.js';

const PAGE_BITS = 10;
const PAGE_NODES = 1 << PAGE_BITS;
/** A power of two. If nodes are stored by level, a walk needs a page on each of them. */
const SLOTS = 1024;

/** Reads as many bytes as the target has, from a place in a file. */
export type ReadAt = (target: Uint8Array, position: number) => void;

/** A search tree that stays in its file, but for some of its pages: 8 MiB at most. */
export class PagedTree extends SearchTree {
  private readonly cache: Uint8Array;
  /** The page in each slot of the cache. */
  private readonly pages: Int32Array;
  private readonly pageBytes: number;
  private readonly treeBytes: number;

  /** @param slots number of pages in memory, a power of two */
  constructor(
    metadata: LookupMetadata,
    private readonly readAt: ReadAt,
    slots = SLOTS,
  ) {
    const nodeBytes = metadata.recordSize / 4;
    const cache = new Uint8Array(Math.min(metadata.nodeCount, slots * PAGE_NODES) * nodeBytes);
    super(cache, metadata);
    this.cache = cache;
    this.pages = new Int32Array(slots).fill(-1);
    this.pageBytes = PAGE_NODES * nodeBytes;
    this.treeBytes = metadata.nodeCount * nodeBytes;
  }

  override record(node: number, bit: number): number {
    const page = node >>> PAGE_BITS;
    const slot = page & (this.pages.length - 1);
    if (this.pages[slot] !== page) this.load(page, slot);
    return super.record(slot * PAGE_NODES + (node & (PAGE_NODES - 1)), bit);
  }

  private load(page: number, slot: number): void {
    const position = page * this.pageBytes;
    const bytes = Math.min(this.pageBytes, this.treeBytes - position);
    // What the slot held is overwritten, even if that fails.
    this.pages[slot] = -1;
    this.readAt(this.cache.subarray(slot * this.pageBytes, slot * this.pageBytes + bytes), position);
    this.pages[slot] = page;
  }
}
