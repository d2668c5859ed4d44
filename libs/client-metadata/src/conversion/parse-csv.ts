/** A mistake in CSV, and its line. */
export class CsvFormatError extends Error {
  override readonly name = 'CsvFormatError';
}

/** More columns than any export has. */
const MAX_COLUMNS = 500;

/**
 * Reads CSV (RFC 4180) with a header, with lines that end in CRLF or LF.
 *
 * @returns an object per row, without blank lines
 * @throws {CsvFormatError}
 */
export function parseCsvRows(text: string): Record<string, string>[] {
  const [header, ...rows] = recordsIn(text.replace(/^\uFEFF/, ''));
  if (!header) throw new CsvFormatError('line 1: it has no header');
  const names = header.cells.map((name) => name.trim());
  if (names.length > MAX_COLUMNS) throw new CsvFormatError(`line 1: it has more than ${MAX_COLUMNS} columns`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new CsvFormatError(`line 1: two columns have the same name`);
  return rows.map(({ line, cells }) => {
    if (cells.length !== names.length)
      throw new CsvFormatError(
        `line ${line}: it has ${cells.length} cells, but the header has ${names.length}`,
      );
    return Object.fromEntries(cells.map((cell, index) => [names[index] ?? '', cell]));
  });
}

interface CsvRecord {
  /** From 1. */
  readonly line: number;
  readonly cells: string[];
}

function recordsIn(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let [line, start, offset] = [1, 1, 0];
  let cells: string[] = [];
  while (offset < text.length || cells.length > 0) {
    const { cell, end } = text[offset] === '"' ? quotedCell(text, offset, line) : plainCell(text, offset);
    cells.push(cell);
    line += cell.split('\n').length - 1;
    offset = end + 1;
    if (text[end] === ',') continue;
    if (text[end] === '\r') offset += 1;
    line += 1;
    if (cells.some((each) => each !== '')) records.push({ line: start, cells });
    [start, cells] = [line, []];
  }
  return records;
}

/** `end` is where the separator or line break is. */
interface Cell {
  readonly cell: string;
  readonly end: number;
}

function plainCell(text: string, start: number): Cell {
  let end = start;
  while (end < text.length && text[end] !== ',' && !isLineBreak(text, end)) end += 1;
  return { cell: text.slice(start, end), end };
}

/** Not a regular expression, which would exhaust the stack on a cell of megabytes. */
function quotedCell(text: string, start: number, line: number): Cell {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) throw new CsvFormatError(`line ${line}: a quoted cell is not closed`);
    if (text[end + 1] !== '"') break;
    end += 1;
  } while (end < text.length);
  const after = end + 1;
  if (after < text.length && text[after] !== ',' && !isLineBreak(text, after))
    throw new CsvFormatError(`line ${line}: text follows a quoted cell`);
  return { cell: text.slice(start + 1, end).replaceAll('""', '"'), end: after };
}

function isLineBreak(text: string, offset: number): boolean {
  return text[offset] === '\n' || (text[offset] === '\r' && text[offset + 1] === '\n');
}
