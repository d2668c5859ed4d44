import type { ViolationList } from './input-violations.js';

/** The violation of a file whose lines end with carriage returns alone: all of it is read as one row, the header. */
export const CARRIAGE_RETURN =
  'has a line break that is only a carriage return: save the file with line feeds (LF or CRLF)';

/**
 * Checks the names in a header.
 *
 * @param isTaken whether a column that is not in the file has the name, too
 * @throws {LookupInputError} if one is missing or there twice
 */
export function checkNames(
  names: readonly string[],
  row: number,
  violations: ViolationList,
  isTaken: (name: string, index: number) => boolean = () => false,
): void {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    const column = String(index + 1);
    if (name.trim() === '') throw violations.fatal(row, 'the column has no name', column);
    // The whole of a file with such line ends is one row, its header.
    if (/\r(?!\n)/.test(name)) throw violations.fatal(row, CARRIAGE_RETURN, column, name);
    if (seen.has(name) || isTaken(name, index))
      throw violations.fatal(row, 'is the name of two columns', column, name);
    seen.add(name);
  }
}
