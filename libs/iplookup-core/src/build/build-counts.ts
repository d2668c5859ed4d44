import type { Overlap, Override } from '../rows/overlap-report.js';
import type { InputViolation } from './input-violations.js';
import type { MissingKeys } from './joined-cells.js';

/** Counts of the input's rows and of the lookup file's content. */
export interface BuildCounts {
  /** Rows read, without the header and blank lines. */
  readonly rows: number;
  readonly kept: number;
  /** Rows left out because of empty cells. */
  readonly dropped: number;
  /** Rows without any value. */
  readonly emptyRows: number;
  /** Rows with some empty cells. */
  readonly partlyEmptyRows: number;
  /** Invalid rows skipped on request. */
  readonly skipped: number;
  /** The first few of these. */
  readonly skippedRows: readonly InputViolation[];
  /** IPv6 rows left out of an IPv4 lookup. */
  readonly leftOut: number;
  /** Rows merged into the previous one, which they continue with the same values. */
  readonly merged: number;
  /** Rows that start inside another row. */
  readonly overlaps: number;
  /** If the later row wins: rows that a later one with more addresses overrides; not counted beyond a million. */
  readonly overriddenSpecific: number;
  /** The first few of these, by their lines. */
  readonly overlapping: readonly Overlap[];
  /** Rows that override more than 100 earlier ones and more than 1 % of all: at most five, worst first. */
  readonly overriding: readonly Override[];
  /** Unmatched references to joined files. */
  readonly missingKeys: readonly MissingKeys[];
  readonly nodes: number;
  /** Distinct records. */
  readonly records: number;
  readonly recordSize: number;
  readonly ipVersion: 4 | 6;
}
