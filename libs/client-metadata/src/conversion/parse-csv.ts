/** A mistake in CSV, and its line. */
export class CsvFormatError extends Error {
  override readonly name = 'CsvFormatError';
}

/** More columns than any export has. */
const MAX_COLUMNS = 500;

/** The cells as text. */
export interface CsvTable {
  /** The names in the header, trimmed. */
  readonly names: readonly string[];
  /** Without blank lines; each has as many cells as there are names. */
  readonly records: readonly CsvRecord[];
}

export interface CsvRecord {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads CSV (RFC 4180) with a header, with lines that end in CRLF or LF. The header decides
 * the separator: commas, or semicolons or tabs, as some spreadsheets write.
 *
 * @throws {CsvFormatError}
 */
export function parseCsv(text: string): CsvTable {
  const content = text.replace(/^\uFEFF/, '');
  const [header, ...records] = recordsIn(content, separatorOf(content));
  if (!header) throw new CsvFormatError('line 1: it has no header');
  const names = header.cells.map((name) => name.trim());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new CsvFormatError(`line 1: two columns have the same name`);
  const uneven = records.find(({ cells }) => cells.length !== names.length);
  if (uneven)
    throw new CsvFormatError(
      `line ${uneven.line}: it has ${uneven.cells.length} cells, but the header has ${names.length}`,
    );
  return { names, records };
}

/**
 * @returns an object per row, by the names in the header
 * @throws {CsvFormatError}
 */
export function parseCsvRows(text: string): Record<string, string>[] {
  const { names, records } = parseCsv(text);
  return records.map(({ cells }) =>
    Object.fromEntries(cells.map((cell, index) => [names[index] ?? '', cell])),
  );
}

/** Enough of a header to see what separates its cells. */
const HEADER_SAMPLE = 10_000;

function separatorOf(text: string): string {
  const [header = ''] = text.slice(0, HEADER_SAMPLE).split('\n', 1);
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: header.split(separator).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).separator;
}

function recordsIn(text: string, separator: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let [line, start, offset] = [1, 1, 0];
  let cells: string[] = [];
  while (offset < text.length || cells.length > 0) {
    const { cell, end } = quotedOrPlain(text, offset, { line, separator });
    cells.push(cell);
    if (cells.length > MAX_COLUMNS)
      throw new CsvFormatError(`line ${start}: it has more than ${MAX_COLUMNS} columns`);
    line += cell.split('\n').length - 1;
    offset = end + 1;
    if (text[end] === separator) continue;
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

interface CellPlace {
  readonly line: number;
  readonly separator: string;
}

function quotedOrPlain(text: string, start: number, place: CellPlace): Cell {
  return text[start] === '"' ? quotedCell(text, start, place) : plainCell(text, start, place.separator);
}

function plainCell(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && !isLineBreak(text, end)) end += 1;
  return { cell: text.slice(start, end), end };
}

/** Not a regular expression, which would exhaust the stack on a cell of megabytes. */
function quotedCell(text: string, start: number, { line, separator }: CellPlace): Cell {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) throw new CsvFormatError(`line ${line}: a quoted cell is not closed`);
    if (text[end + 1] !== '"') break;
    end += 1;
  } while (end < text.length);
  const after = end + 1;
  if (after < text.length && text[after] !== separator && !isLineBreak(text, after))
    throw new CsvFormatError(`line ${line}: text follows a quoted cell`);
  return { cell: text.slice(start + 1, end).replaceAll('""', '"'), end: after };
}

function isLineBreak(text: string, offset: number): boolean {
  return text[offset] === '\n' || (text[offset] === '\r' && text[offset + 1] === '\n');
}
