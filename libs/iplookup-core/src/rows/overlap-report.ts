/** Two rows that share addresses, by their lines; the later one wins there. */
export interface Overlap {
  readonly earlier: number;
  readonly later: number;
}

/** What was found while rows were laid side by side. */
export class OverlapReport {
  /** Rows that begin inside another row. */
  count = 0;
  readonly named: Overlap[] = [];
  private readonly countedPieces = new Set<number>();

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
}
