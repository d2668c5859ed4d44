/**
 * What is known of a row's values once its text was read, in one number, so that it can be kept for the rows that
 * repeat the same text: the record's number, and how empty the row is.
 */

/** Some cells are empty. */
export const PARTLY_EMPTY = 1;

/** All cells are empty. */
export const EMPTY_ROW = 2;

/** @param kind 0 (no empty cell), `PARTLY_EMPTY` or `EMPTY_ROW` */
export function payloadOf(record: number, kind: number): number {
  return record * 4 + kind;
}

export function kindOf(payload: number): number {
  return payload & 3;
}

export function recordOf(payload: number): number {
  return payload >>> 2;
}
