/** Cells as CSV, without a line break. */
export function encodeCells(cells: readonly string[], separator: number): string {
  const between = String.fromCharCode(separator);
  return cells
    .map((cell) =>
      /["\r\n]/.test(cell) || cell.includes(between) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(between);
}
