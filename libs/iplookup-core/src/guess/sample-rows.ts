import { CellReader } from '../csv/cell-reader.js';
import { readFileStart } from '../csv/file-start.js';
import { FieldBounds, scanRecord } from '../csv/scan-record.js';

/** Enough to see what a column holds. */
const MAX_ROWS = 1_000;

/**
 * The cells of a file's first rows, as far as they are well-formed.
 *
 * @param separator the byte between fields, unless the file's first line declares another
 */
export function sampleRows(sample: Buffer, separator: number): string[][] {
  const fields = new FieldBounds();
  const cells = new CellReader(sample, fields);
  const start = readFileStart(sample, sample.length);
  const rows: string[][] = [];
  if (typeof start === 'string') return rows;
  const byte = start.separator ?? separator;
  for (let p = start.next; p < sample.length;) {
    const next = scanRecord(sample, p, sample.length, true, byte, fields);
    if (next < 0 || rows.length === MAX_ROWS) break;
    // Empty lines are no rows.
    if (fields.count > 1 || fields.ends[0]! > p) rows.push(cells.texts());
    p = next;
  }
  return rows;
}

/** @param separator one character, or `tab` */
export function separatorByte(separator = ','): number {
  return separator === 'tab' ? 9 : separator.charCodeAt(0);
}
