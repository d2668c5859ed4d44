/** Two rows that share addresses, by their lines; the later one wins there. */
export interface Overlap {
  readonly earlier: number;
  readonly later: number;
}

/** A row that overrides many earlier ones, all by their lines. */
export interface Override {
  readonly row: number;
  /** How many earlier rows it shares addresses with. */
  readonly overridden: number;
  /** The first of these. */
  readonly first: number;
}

/** A row that overrides more rows than this, and more than 1 % of all, is reported. */
const MANY_ROWS = 100;

/** Rows reported for overriding many. */
const MAX_OVERRIDES = 5;

/** What was found while rows were laid side by side. */
export class OverlapReport {
  /** Rows that begin inside another row. */
  count = 0;
  readonly named: Overlap[] = [];
  private readonly countedPieces = new Set<number>();
  private readonly overrides = new Map<number, Override>();

  /**
   * @param maxNamed overlaps kept by name, besides the count
   * @param splitLines lines of rows that are laid in pieces, each of which may meet the same rival
   */
  constructor(
    private readonly maxNamed: number,
    private readonly splitLines: ReadonlySet<number>,
  ) {}

  /** The row of `line` begins inside that of `rival`. */
  add(line: number, rival: number): void {
    // Pieces of one row may meet: ::/96 and ::ffff:0:0/96 are the same addresses to readers.
    if (line === rival) return;
    if (this.splitLines.has(line)) {
      if (this.countedPieces.has(line)) return;
      this.countedPieces.add(line);
    }
    this.count++;
    if (this.named.length < this.maxNamed)
      this.named.push({ earlier: Math.min(line, rival), later: Math.max(line, rival) });
  }

  /** The row of `line` overrides `count` rows, of which that of line `first` is the first. A row may be laid in pieces. */
  addOverride(line: number, count: number, first: number): void {
    const before = this.overrides.get(line);
    const sum = { row: line, overridden: count + (before?.overridden ?? 0) };
    this.overrides.set(line, { ...sum, first: Math.min(first, before?.first ?? first) });
  }

  /**
   * The rows that override much of the input, those that override the most first.
   *
   * @param rows of the whole input
   */
  overriding(rows: number): readonly Override[] {
    return [...this.overrides.values()]
      .filter(({ overridden }) => overridden > Math.max(MANY_ROWS, rows / 100))
      .sort((a, b) => b.overridden - a.overridden || a.row - b.row)
      .slice(0, MAX_OVERRIDES);
  }
}
