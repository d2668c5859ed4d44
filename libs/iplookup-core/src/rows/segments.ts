import { compareWords, copyWords, nextAddress, previousAddress } from '../address/address-words.js';
import type { OverlapReport } from './overlap-report.js';
import { OverrideCounter } from './override-counter.js';
import { LATER_WINS, type Precedence, type SplitLines, specificWins } from './precedence.js';
import { RowHeap, type RowOrder } from './row-heap.js';
import type { RowStore } from './row-store.js';

/**
 * Receives one segment: a range with one winning row. Its first and last addresses are at `at` and `at + width` in
 * `words`; `value` is the row's.
 */
export type SegmentSink = (words: Uint32Array, at: number, value: number, row: number) => void;

/** Rows processed between yields. */
const ROWS_PER_STEP = 1 << 14;

/** How to lay out rows. */
export interface LayOutOptions {
  /** Default `later`. */
  readonly precedence?: Precedence;
  readonly splitLines?: SplitLines;
  /** False if the rows are needed afterwards. */
  readonly release?: boolean;
}

const NOT_SPLIT: SplitLines = new Map();

/**
 * Merges rows into disjoint segments in address order, passed to `sink`. Where rows overlap, one wins. Ordered rows are
 * streamed, releasing their memory on the way; others are sorted first.
 *
 * @yields regularly, so that the caller can do other work
 */
export function* layOut(
  rows: RowStore,
  sink: SegmentSink,
  overlaps: OverlapReport,
  { precedence = 'later', splitLines = NOT_SPLIT, release = true }: LayOutOptions = {},
): Generator<void> {
  if (rows.ordered) yield* stream(rows, sink, release);
  else yield* new Sweep(rows, sink, overlaps, precedence, specificWins(rows, splitLines)).run();
}

function* stream(rows: RowStore, sink: SegmentSink, release: boolean): Generator<void> {
  const valueAt = 2 * rows.width;
  for (let row = 0; row < rows.count; row++) {
    const words = rows.chunkOf(row);
    const at = rows.offset(row);
    sink(words, at, words[at + valueAt]!, row);
    if (!rows.endsChunk(row)) continue;
    if (release) rows.release(row);
    yield;
  }
}

/** Sweeps the addresses in ascending order, with a heap of the rows that cover the current one, the winner on top. */
class Sweep {
  private readonly active: RowHeap;
  /** If the later row wins: the same rows, the most specific on top. */
  private readonly specific: RowHeap | undefined;
  private readonly overrides: OverrideCounter;
  private readonly width: number;
  /** The first address not yet passed on. */
  private readonly position: Uint32Array;
  private readonly segment: Uint32Array;
  private readonly reached: Uint32Array;
  private done = false;

  constructor(
    private readonly rows: RowStore,
    private readonly sink: SegmentSink,
    private readonly overlaps: OverlapReport,
    precedence: Precedence,
    isMoreSpecific: RowOrder,
  ) {
    this.active = new RowHeap(precedence === 'later' ? LATER_WINS : isMoreSpecific);
    this.specific = precedence === 'later' ? new RowHeap(isMoreSpecific) : undefined;
    this.width = rows.width;
    this.position = new Uint32Array(rows.width);
    this.segment = new Uint32Array(2 * rows.width);
    this.reached = new Uint32Array(rows.width);
    this.overrides = new OverrideCounter(rows);
  }

  *run(): Generator<void> {
    const order = sortRows(this.rows);
    for (let i = 0; i < order.length; i++) {
      const row = order[i]!;
      this.advance(row);
      copyWords(this.rows.chunkOf(row), this.rows.offset(row), this.position, 0, this.width);
      this.enter(row);
      if (i % ROWS_PER_STEP === 0) yield;
    }
    this.advance(-1);
    yield* this.overrides.report(this.overlaps);
  }

  /** Passes on the segments up to the start of `until`, or all remaining ones if -1. */
  private advance(until: number): void {
    const { rows, width, position, segment } = this;
    for (let winner; !this.done && (winner = this.dropEnded(this.active)) >= 0;) {
      const at = rows.offset(winner);
      const words = rows.chunkOf(winner);
      copyWords(position, 0, segment, 0, width);
      copyWords(words, at + width, segment, width, width);
      if (until >= 0 && this.startsWithin(until)) {
        if (compareWords(rows.chunkOf(until), rows.offset(until), position, 0, width) === 0) return;
        previousAddress(rows.chunkOf(until), rows.offset(until), segment, width, width);
      }
      this.noteSpecific(winner);
      this.sink(segment, 0, rows.valueOf(winner), winner);
      this.done = !nextAddress(segment, width, position, 0, width);
      if (until >= 0 && compareWords(position, 0, rows.chunkOf(until), rows.offset(until), width) >= 0)
        return;
    }
  }

  /** True if the next row starts before the current segment ends. */
  private startsWithin(next: number): boolean {
    return (
      compareWords(this.rows.chunkOf(next), this.rows.offset(next), this.segment, this.width, this.width) <= 0
    );
  }

  private enter(row: number): void {
    const rival = this.dropEnded(this.active);
    if (rival >= 0) {
      this.overlaps.add(this.rows.lineOf(row), this.rows.lineOf(rival));
      if (this.specific) this.overrides.add(row, rival);
    }
    this.active.push(row);
    this.specific?.push(row);
  }

  /** Reports the rows that are more specific than the winner of the segment, which covers all of it. */
  private noteSpecific(winner: number): void {
    const { rows, width, segment, reached, specific } = this;
    if (!specific) return;
    copyWords(segment, 0, reached, 0, width);
    for (let row; (row = this.dropEnded(specific, reached)) !== winner;) {
      this.overlaps.addOverridden(rows.lineOf(row));
      const words = rows.chunkOf(row);
      const end = rows.offset(row) + width;
      if (compareWords(words, end, segment, width, width) >= 0) return;
      nextAddress(words, end, reached, 0, width);
    }
  }

  /** The first row of the heap that does not end before the position, or -1. */
  private dropEnded(heap: RowHeap, position = this.position): number {
    const { rows, width } = this;
    for (let row; (row = heap.top) >= 0; heap.pop()) {
      if (compareWords(rows.chunkOf(row), rows.offset(row) + width, position, 0, width) >= 0) return row;
    }
    return -1;
  }
}

/**
 * Sorts rows by their first address, stably. A least-significant-digit radix sort: linear, and without comparison
 * calls.
 *
 * @returns row numbers
 */
export function sortRows(rows: RowStore): Uint32Array {
  let order = Uint32Array.from({ length: rows.count }, (_, row) => row);
  let target = new Uint32Array(rows.count);
  const digitBits = rows.count < 1 << 16 ? 8 : 16;
  for (let bit = 0; bit < rows.width * 32; bit += digitBits) {
    if (sortByDigit(rows, bit, digitBits, order, target)) [order, target] = [target, order];
  }
  return order;
}

/**
 * @param bit the digit's lowest, counted from the lowest of an address
 * @returns false if all rows have the same digit, leaving `target` unchanged
 */
function sortByDigit(
  rows: RowStore,
  bit: number,
  digitBits: number,
  order: Uint32Array,
  target: Uint32Array,
): boolean {
  const digits = 1 << digitBits;
  const word = rows.width - 1 - (bit >>> 5);
  const shift = bit & 31;
  const digitOf = (row: number): number =>
    (rows.chunkOf(row)[rows.offset(row) + word]! >>> shift) & (digits - 1);
  const starts = new Uint32Array(digits + 1);
  for (let row = 0; row < rows.count; row++) starts[digitOf(row) + 1]!++;
  if (starts.includes(rows.count)) return false;
  for (let i = 0; i < digits; i++) starts[i + 1]! += starts[i]!;
  for (const row of order) target[starts[digitOf(row)]!++] = row;
  return true;
}
