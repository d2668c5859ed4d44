/** @returns above 0 if row `a` wins over row `b`, where both cover an address */
export type RowOrder = (a: number, b: number) => number;

/** A binary heap of row numbers, with the winner on top. */
export class RowHeap {
  private readonly rows: number[] = [];

  constructor(private readonly order: RowOrder) {}

  /** The row that wins, or -1. */
  get top(): number {
    return this.rows[0] ?? -1;
  }

  push(row: number): void {
    const { rows, order } = this;
    let at = rows.length;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (order(rows[parent]!, row) >= 0) break;
      rows[at] = rows[parent]!;
      at = parent;
    }
    rows[at] = row;
  }

  pop(): void {
    const { rows, order } = this;
    const row = rows.pop();
    if (row === undefined || rows.length === 0) return;
    let at = 0;
    for (let child = 1; child < rows.length; child = 2 * at + 1) {
      if (child + 1 < rows.length && order(rows[child + 1]!, rows[child]!) > 0) child++;
      if (order(rows[child]!, row) <= 0) break;
      rows[at] = rows[child]!;
      at = child;
    }
    rows[at] = row;
  }
}
