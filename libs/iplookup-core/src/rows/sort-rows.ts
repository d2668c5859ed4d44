import type { RowStore } from './row-store.js';

const DIGIT_BITS = 16;
const DIGITS = 1 << DIGIT_BITS;

/**
 * Puts rows in the order of their first addresses; equal ones stay in input order. A radix sort, lowest digit first:
 * its time is linear, and no comparison function is called.
 *
 * @returns row numbers
 */
export function sortRows(rows: RowStore): Uint32Array {
  let order = Uint32Array.from({ length: rows.count }, (_, row) => row);
  let target = new Uint32Array(rows.count);
  for (let digit = 0; digit < rows.width * 2; digit++) {
    if (sortByDigit(rows, digit, order, target)) [order, target] = [target, order];
  }
  return order;
}

/** @returns false when all rows have the same digit and `target` was left alone */
function sortByDigit(rows: RowStore, digit: number, order: Uint32Array, target: Uint32Array): boolean {
  const word = rows.width - 1 - (digit >>> 1);
  const shift = (digit & 1) * DIGIT_BITS;
  const digitOf = (row: number): number =>
    (rows.chunkOf(row)[rows.offset(row) + word]! >>> shift) & (DIGITS - 1);
  const starts = new Uint32Array(DIGITS + 1);
  for (let row = 0; row < rows.count; row++) starts[digitOf(row) + 1]!++;
  if (starts.includes(rows.count)) return false;
  for (let i = 0; i < DIGITS; i++) starts[i + 1]! += starts[i]!;
  for (const row of order) target[starts[digitOf(row)]!++] = row;
  return true;
}
