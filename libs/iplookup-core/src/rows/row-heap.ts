/** A binary heap of row numbers with the highest, which is the latest row, on top. */
export class RowHeap {
  private readonly rows: number[] = [];

  /** The highest row number, or -1. */
  get top(): number {
    return this.rows[0] ?? -1;
  }

  push(row: number): void {
    const rows = this.rows;
    let at = rows.length;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (rows[parent]! >= row) break;
      rows[at] = rows[parent]!;
      at = parent;
    }
    rows[at] = row;
  }

  pop(): void {
    const rows = this.rows;
    const row = rows.pop();
    if (row === undefined || rows.length === 0) return;
    let at = 0;
    for (let child = 1; child < rows.length; child = 2 * at + 1) {
      if (child + 1 < rows.length && rows[child + 1]! > rows[child]!) child++;
      if (rows[child]! <= row) break;
      rows[at] = rows[child]!;
      at = child;
    }
    rows[at] = row;
  }
}
