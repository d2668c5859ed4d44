import { CHUNK_ROWS, type RowStore } from '../rows/row-store.js';
import type { RecordTemplates } from '../values/record-templates.js';
import { type Engine, startEngine } from './engine.js';
import { PIECE_BYTES, type RowRecords } from './row-records.js';

/** More than what is before the records that are encoded. */
const FIXED_BYTES = 1 << 19;

/** More than a record has beside its cells, and than is written or read behind its end. */
const MORE_BYTES = 128;

/** Words of an IPv4 row: see {@link RowStore}. */
const ROW_WORDS = 4;

/** Encodes records of IPv4 rows in the engine, from templates of all of them. */
export class EngineRowRecords implements RowRecords {
  private readonly start: number;
  private end: number;
  private readonly bytes: Uint8Array;
  private readonly rows: Uint32Array;
  /** First row of the array that the engine has. */
  private firstRow = -1;

  private constructor(
    private readonly engine: Engine,
    private readonly store: RowStore,
    private readonly templatesAt: number,
    private readonly cellsAt: number,
    /** Sizes of the keys. */
    private readonly keyBytes: readonly [number, number],
  ) {
    this.start = this.end = engine.recordsAt();
    this.bytes = new Uint8Array(engine.memory.buffer);
    this.rows = new Uint32Array(engine.memory.buffer, engine.recordRowsAt(), CHUNK_ROWS * ROW_WORDS);
  }

  /**
   * @param keys of the two addresses, encoded, at most eight bytes each
   * @returns `undefined` if this computer cannot run the engine
   */
  static start(
    store: RowStore,
    { table, cells }: Pick<RecordTemplates, 'table' | 'cells'>,
    keys: readonly [Uint8Array, Uint8Array],
  ): EngineRowRecords | undefined {
    const room = 2 * PIECE_BYTES + longestCells(table) + MORE_BYTES;
    const templatesAt = FIXED_BYTES + 4 * Math.ceil(room / 4);
    const cellsAt = templatesAt + table.byteLength;
    const engine = startEngine(cellsAt + cells.length + MORE_BYTES);
    if (engine === undefined) return undefined;
    const { buffer } = engine.memory;
    engine.setUpRecords();
    for (const [index, key] of keys.entries())
      new Uint8Array(buffer, engine.recordKeysAt() + 8 * index).set(key);
    new Uint32Array(buffer, templatesAt).set(table);
    new Uint8Array(buffer, cellsAt).set(cells);
    return new EngineRowRecords(engine, store, templatesAt, cellsAt, [keys[0].length, keys[1].length]);
  }

  get length(): number {
    return this.end - this.start;
  }

  raw(bytes: Uint8Array, start: number, end: number): void {
    this.bytes.set(bytes.subarray(start, end), this.end);
    this.end += end - start;
  }

  encode(row: number, end: number): number {
    const { engine, templatesAt, cellsAt } = this;
    const from = row % CHUNK_ROWS;
    this.load(row - from);
    const count = Math.min(end - row, CHUNK_ROWS - from);
    const stop = this.start + PIECE_BYTES;
    const done = engine.encodeRecords(from, count, this.end, stop, templatesAt, cellsAt, ...this.keyBytes);
    this.end = engine.recordsEnd.value;
    return row + done;
  }

  take(): Uint8Array {
    const { start, end } = this;
    this.end = start;
    return this.bytes.subarray(start, end);
  }

  private load(firstRow: number): void {
    if (firstRow === this.firstRow) return;
    this.rows.set(this.store.chunkOf(firstRow));
    this.firstRow = firstRow;
  }
}

function longestCells(table: Uint32Array): number {
  let longest = 0;
  for (let at = 1; at < table.length; at += 3) longest = Math.max(longest, table[at]!);
  return longest;
}
