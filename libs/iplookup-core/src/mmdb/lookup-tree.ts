import type { RowStore } from '../rows/row-store.js';
import { encodeTree } from './encode-tree.js';
import type { GapFiller } from './gap-filler.js';
import type { RecordSize } from './mmdb-format.js';
import { NodeStore } from './node-store.js';
import { type AddressTree, TreeBuilder } from './tree-builder.js';

/** Rows without a key of their own: their record's number is their value. */
export const NO_KEYS = -1;

/** Rows of an ordered store from `row` on, at most to the end of its array. */
export interface AddedRows {
  readonly store: RowStore;
  readonly row: number;
  /** Number of the first row's value if each row has its own, otherwise `NO_KEYS`. */
  readonly firstKey: number;
  /** Called with each record before it is used. */
  use(record: number): void;
  /** Adds a row that follows a gap that is not empty. */
  addOne(row: number): void;
}

/** A lookup's search tree under construction. */
export interface LookupTree extends Pick<NodeStore, 'count' | 'add' | 'child'> {
  builder(width: 1 | 4): AddressTree;
  /** Adds rows faster than one by one. @returns the number of the first row that was not added */
  addRows?(rows: AddedRows, filler: GapFiller): number;
  /** Accepts memory that is no longer needed, such as an array of rows. */
  reuse?(words: Uint32Array): void;
  /** Yields the encoded tree, see {@link encodeTree}. */
  encode(places: Uint32Array, recordSize: RecordSize): Generator<Uint8Array>;
}

/** The tree in JavaScript. */
export class PortableTree extends NodeStore implements LookupTree {
  builder(width: 1 | 4): AddressTree {
    return new TreeBuilder(this, width);
  }

  encode(places: Uint32Array, recordSize: RecordSize): Generator<Uint8Array> {
    return encodeTree(this, places, recordSize);
  }
}
