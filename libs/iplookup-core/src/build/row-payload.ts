import type { EmptyRowRule } from './build-plan.js';

/**
 * A row's parsed values encoded in one number, for caching by the row's text: the record's number and how empty the
 * row is.
 */

/** No cell is empty. */
export const FULL_ROW = 0;

/** Some cells are empty. */
export const PARTLY_EMPTY = 1;

/** All cells are empty. */
export const EMPTY_ROW = 2;

/** @param kind `FULL_ROW`, `PARTLY_EMPTY` or `EMPTY_ROW` */
export function payloadOf(record: number, kind: number): number {
  return record * 4 + kind;
}

export function kindOf(payload: number): number {
  return payload & 3;
}

export function recordOf(payload: number): number {
  return payload >>> 2;
}

/** True if a row of this kind is left out. */
export function isDropped(kind: number, rule: EmptyRowRule): boolean {
  return rule === 'any' ? kind !== FULL_ROW : rule === 'all' && kind === EMPTY_ROW;
}
