import type { ScannedRows } from '../scan/row-scanner.js';

/** Receives valid rows. */
export interface RowSink {
  /**
   * @param range first and last address, of the format's width each, in order
   * @param payload see `payloadOf`
   * @param line 1-based line on which the row starts
   */
  add(range: Uint32Array, payload: number, line: number): void;
  /** Accepts many rows; without it, they are passed on one by one. */
  addScanned?(rows: ScannedRows): void;
}
