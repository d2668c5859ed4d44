/** Two overlapping rows, by line; the later one wins. */
export interface Overlap {
  readonly earlier: number;
  readonly later: number;
  /** Their files, if there are several. */
  readonly earlierFile?: string;
  readonly laterFile?: string;
}

/** A row that overrides many earlier ones, by line. */
export interface Override {
  readonly row: number;
  /** Number of earlier rows it overlaps. */
  readonly overridden: number;
  /** The first of these. */
  readonly first: number;
  /** Their files, if there are several. */
  readonly rowFile?: string;
  readonly firstFile?: string;
}

/** Rows that override more than this, and more than 1 % of all, are reported. */
const MANY_ROWS = 100;

/** Maximum number of such rows reported. */
const MAX_OVERRIDES = 5;

/** Their lines are kept, to count each once. */
const MAX_OVERRIDDEN = 1_000_000;

/** Collects overlaps found while merging rows. */
export class OverlapReport {
  /** Rows that start inside another row. */
  count = 0;
  readonly named: Overlap[] = [];
  private readonly countedPieces = new Set<number>();
  private readonly overridden = new Set<number>();
  private readonly overrides = new Map<number, Override>();

  /**
   * @param maxNamed overlaps to list, besides the count
   * @param splitLines lines of split rows, whose pieces may overlap the same row
   */
  constructor(
    private readonly maxNamed: number,
    private readonly splitLines: Pick<ReadonlySet<number>, 'has'>,
  ) {}

  /** Reports that the row at `line` starts inside the one at `rival`. */
  add(line: number, rival: number): void {
    // Pieces of one row may overlap, since readers treat ::/96 and ::ffff:0:0/96 as the same addresses.
    if (line === rival) return;
    if (this.splitLines.has(line)) {
      if (this.countedPieces.has(line)) return;
      this.countedPieces.add(line);
    }
    this.count++;
    if (this.named.length < this.maxNamed)
      this.named.push({ earlier: Math.min(line, rival), later: Math.max(line, rival) });
  }

  /** Reports that the row at `line` is more specific than a later one that overrides it. */
  addOverridden(line: number): void {
    if (this.overridden.size < MAX_OVERRIDDEN) this.overridden.add(line);
  }

  /** How many rows are more specific than a later one that overrides them; not counted beyond a million. */
  get overriddenSpecific(): number {
    return this.overridden.size;
  }

  /** Reports that the row at `line` overrides `count` rows, starting with the one at `first`. Called per piece. */
  addOverride(line: number, count: number, first: number): void {
    const before = this.overrides.get(line);
    const sum = { row: line, overridden: count + (before?.overridden ?? 0) };
    this.overrides.set(line, { ...sum, first: Math.min(first, before?.first ?? first) });
  }

  /**
   * The rows that override much of the input, worst first.
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
