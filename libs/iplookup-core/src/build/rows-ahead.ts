/** Finds rows in plain form ahead of the reader, and knows the payloads of texts that it has seen before. */
export interface RowsAhead {
  /** Number of rows found. */
  readonly count: number;
  /** Contains first and last address of each row, at {@link RowsAhead.rangeAt}. */
  readonly ranges: Uint32Array;

  /** Finds rows from `start` on, in a buffer whose content ends at `end`; the byte there is an LF. */
  find(start: number, end: number, final: boolean): void;

  startOf(row: number): number;
  /** Where the row after it starts, if none of its values contains a line break. */
  endOf(row: number): number;
  rangeAt(row: number): number;
  /** The payload of the row's values, or a negative number if their text is new. */
  payloadOf(row: number): number;
  /** Keeps the payload of a new text, which ends with its line. */
  keep(row: number, payload: number): void;
}
