import { compareWords } from '../address/address-words.js';
import type { OverlapReport } from './overlap-report.js';
import type { RowStore } from './row-store.js';

/** Candidates counted exactly; each takes a pass over all rows. */
const MAX_COUNTED = 5;

/**
 * Minimum estimate for a candidate; below it, a row overrides too few to be reported, even if split into four pieces.
 */
const MIN_SEEN = 25;

/** Finds the rows that override many others: estimates them while rows are merged, then counts exactly. */
export class OverrideCounter {
  /** Estimated number of overridden rows, by row. Allocated on the first overlap. */
  private seen: Uint32Array | undefined;

  constructor(private readonly rows: RowStore) {}

  /** Notes that `row` starts where `rival` is the latest row. */
  add(row: number, rival: number): void {
    this.seen ??= new Uint32Array(this.rows.count);
    this.seen[Math.max(row, rival)]!++;
  }

  /** Counts and reports. @yields after each pass, so that the caller can do other work */
  *report(overlaps: OverlapReport): Generator<void> {
    for (const row of this.candidates()) {
      this.count(row, overlaps);
      yield;
    }
  }

  /** The rows with the highest estimates. */
  private candidates(): number[] {
    const found: number[] = [];
    const { seen } = this;
    if (seen === undefined) return found;
    for (let row = 0; row < seen.length; row++) {
      if (seen[row]! < MIN_SEEN) continue;
      if (found.length === MAX_COUNTED && seen[row]! <= seen[found.at(-1)!]!) continue;
      found.push(row);
      found.sort((a, b) => seen[b]! - seen[a]! || a - b);
      found.length = Math.min(found.length, MAX_COUNTED);
    }
    return found;
  }

  /** Counts the earlier rows that overlap `later`, and pieces of one row, which are consecutive, once. */
  private count(later: number, overlaps: OverlapReport): void {
    const { rows } = this;
    const line = rows.lineOf(later);
    let count = 0;
    let first = 0;
    let before = line;
    for (let row = 0; row < later; row++) {
      if (!this.overlap(row, later) || rows.lineOf(row) === before || rows.lineOf(row) === line) continue;
      before = rows.lineOf(row);
      if (count++ === 0) first = before;
    }
    overlaps.addOverride(line, count, first);
  }

  private overlap(a: number, b: number): boolean {
    const { rows } = this;
    const { width } = rows;
    const ofA = rows.chunkOf(a);
    const ofB = rows.chunkOf(b);
    const atA = rows.offset(a);
    const atB = rows.offset(b);
    return (
      compareWords(ofA, atA, ofB, atB + width, width) <= 0 &&
      compareWords(ofB, atB, ofA, atA + width, width) <= 0
    );
  }
}
