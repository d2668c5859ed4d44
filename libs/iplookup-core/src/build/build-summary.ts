import type { Overlap, Override } from '../rows/overlap-report.js';
import type { InputFault } from './input-fault.js';

/** What became of the rows of an input, and what the lookup file holds. */
export interface BuildCounts {
  /** Rows read, without the header and blank lines. */
  readonly rows: number;
  readonly kept: number;
  /** Rows left out for their empty cells. */
  readonly dropped: number;
  /** Rows all of whose cells are empty. */
  readonly emptyRows: number;
  /** Rows some of whose cells are empty. */
  readonly partlyEmptyRows: number;
  /** Invalid rows, skipped because that was asked for. */
  readonly skipped: number;
  /** The first few of these. */
  readonly skippedRows: readonly InputFault[];
  /** Rows of IPv6 addresses, which have no place in an IPv4 lookup. */
  readonly leftOut: number;
  /** Rows that continue the one before with the same values, and became one with it. */
  readonly merged: number;
  /** Rows that begin inside another row; the later one in the file wins. */
  readonly overlaps: number;
  /** The first few of these, by their lines. */
  readonly overlapping: readonly Overlap[];
  /** Rows that each override more than 100 earlier ones, and more than 1 % of all: at most five, the worst first. */
  readonly overriding: readonly Override[];
  readonly nodes: number;
  /** Distinct records. */
  readonly records: number;
  readonly recordSize: number;
  readonly ipVersion: 4 | 6;
}
