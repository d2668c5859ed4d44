import { parseNumber } from '../values/column-type.js';

/** What the cells of a column look like, and what such a column is called. */
const KINDS: readonly { readonly name: string; readonly isCell: (cell: string) => boolean }[] = [
  { name: 'continent_code', isCell: (cell) => /^(AF|AN|AS|EU|NA|OC|SA)$/.test(cell) },
  { name: 'country_code', isCell: (cell) => /^([A-Z]{2}|None|ZZ|-)$/.test(cell) },
  { name: 'asn', isCell: isAsNumber },
  { name: 'latitude', isCell: (cell) => isDecimalWithin(cell, 90) },
  { name: 'longitude', isCell: (cell) => isDecimalWithin(cell, 180) },
];

/** Fewer filled cells are not conclusive. */
const MIN_CELLS = 1;

/**
 * Names for the columns of a file without a header.
 *
 * @param rows the cells of its value columns
 */
export function nameColumns(rows: readonly (readonly string[])[]): string[] {
  const count = rows[0]?.length ?? 0;
  const names = new Set<string>();
  for (let column = 0; column < count; column++) {
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '');
    const found = KINDS.find(({ name, isCell }) => !names.has(name) && all(cells, isCell));
    const isOrganization = names.has('asn') && !names.has('as_name');
    names.add(found?.name ?? (isOrganization ? 'as_name' : `value_${column + 1}`));
  }
  return [...names];
}

/**
 * Columns that are better stored as something other than text.
 *
 * @param names of the value columns
 */
export function typeColumns(
  names: readonly string[],
  rows: readonly (readonly string[])[],
): (readonly [column: string, type: string])[] {
  return names.flatMap((name, column) => {
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '');
    const type = typeOf(name, cells);
    return type === undefined ? [] : [[name, type] as const];
  });
}

function typeOf(name: string, cells: readonly string[]): string | undefined {
  if (all(cells, (cell) => /^(true|false)$/i.test(cell))) return 'boolean';
  const isAsn = /^(asn|as_number|autonomous_system_number)$/i.test(name);
  if (isAsn && all(cells, isAsNumber)) return 'asn';
  const isPlace = /^(lat|latitude|lon|lng|long|longitude)$/i.test(name);
  return isPlace && all(cells, (cell) => isDecimalWithin(cell, 180)) ? 'double' : undefined;
}

function all(cells: readonly string[], isCell: (cell: string) => boolean): boolean {
  return cells.length >= MIN_CELLS && cells.every(isCell);
}

function isAsNumber(cell: string): boolean {
  return /^(AS)?\d+$/i.test(cell) && parseNumber(cell, 'asn') !== undefined;
}

function isDecimalWithin(cell: string, limit: number): boolean {
  return /^-?\d{1,3}\.\d+$/.test(cell) && Math.abs(Number(cell)) <= limit;
}
