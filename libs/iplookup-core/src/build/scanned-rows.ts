import type { RowScanner } from '../scan/row-scanner.js';
import type { RowsAhead } from './rows-ahead.js';
import { TextPayloads } from './text-payloads.js';

/** Finds rows in plain form with WebAssembly. */
export class ScannedRows implements RowsAhead {
  readonly ranges: Uint32Array;
  private readonly payloads = new TextPayloads();
  private readonly stride: number;
  private start = 0;
  private end = 0;

  /** @param scanner configured */
  constructor(private readonly scanner: RowScanner) {
    this.ranges = scanner.rows;
    this.stride = scanner.stride;
  }

  get count(): number {
    return this.scanner.count;
  }

  find(start: number, end: number): void {
    this.start = start;
    this.end = this.scanner.scan(start, end, end);
  }

  startOf(row: number): number {
    return this.start + this.ranges[(row + 1) * this.stride - 1]!;
  }

  endOf(row: number): number {
    return row + 1 < this.count ? this.startOf(row + 1) : this.end;
  }

  rangeAt(row: number): number {
    return row * this.stride;
  }

  payloadOf(row: number): number {
    return this.payloads.of(this.textOf(row));
  }

  keep(row: number, payload: number): void {
    this.payloads.set(this.textOf(row), payload);
  }

  private textOf(row: number): number {
    return this.ranges[(row + 1) * this.stride - 2]!;
  }
}
