/*
 * How the registry's CSV protects spreadsheets, which run cells that begin like a formula, some also in full width (OWASP, "CSV
 * injection"): an apostrophe stands before them, and before what looks as if it had one.
 */

const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

const NUMBER = /^\d+(\.\d+)?$/;

/** @param isText whether the value is a text in a field that may also have numbers: then `3600` needs an apostrophe, too */
export function protectCell(text: string, isText: boolean): string {
  return FORMULA.test(text) || (isText && NUMBER.test(text)) ? `'${text}` : text;
}

/** The text before {@link protectCell}, except that a number in a text remains protected: `readNumberCell` reads it. */
export function unprotectCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** The value of a cell in a field of numbers and texts. */
export function readNumberCell(cell: string): number | string {
  return NUMBER.test(cell) ? Number(cell) : cell.replace(/^'(?=\d)/, '');
}
