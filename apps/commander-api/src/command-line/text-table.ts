import { escapeLine } from '@svc/foundation';

/** Wider columns push the others out of sight. */
const MAX_WIDTH = 48;

/** Rows with aligned columns; longer cells are not cut. The first row has the headings. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => escapeLine(cell)));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.min(MAX_WIDTH, Math.max(widths[column] ?? 0, [...cell].length));
  }
  return cells
    .map((row) =>
      row
        .map((cell, column) => padded(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}
