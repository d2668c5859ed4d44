import { CHUNK_ROWS, type RowStore } from '../rows/row-store.js';
import type { RecordTemplates } from '../values/record-templates.js';
import { type Engine, startEngine } from './engine.js';
import { PIECE_BYTES, type RowRecords } from './row-records.js';

/** More than what comes before encoded records. */
const FIXED_BYTES = 1 << 19;

/** More than a record needs beside its cells, with what is written or read behind its end. */
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
    { table, cells, longest }: Pick<RecordTemplates, 'table' | 'cells' | 'longest'>,
    [firstKey, lastKey]: readonly [Uint8Array, Uint8Array],
  ): EngineRowRecords | undefined {
    const room = 2 * PIECE_BYTES + longest + MORE_BYTES;
    const templatesAt = FIXED_BYTES + 4 * Math.ceil(room / 4);
    const cellsAt = templatesAt + table.byteLength;
    const engine = startEngine(cellsAt + cells.length + MORE_BYTES);
    if (engine === undefined) return undefined;
    const { buffer } = engine.memory;
    new Uint8Array(buffer, engine.firstKeyAt()).set(firstKey);
    new Uint8Array(buffer, engine.lastKeyAt()).set(lastKey);
    new Uint32Array(buffer, templatesAt).set(table);
    new Uint8Array(buffer, cellsAt).set(cells);
    engine.setUpRecords(templatesAt, cellsAt, firstKey.length, lastKey.length);
    return new EngineRowRecords(engine, store);
  }

  get length(): number {
    return this.end - this.start;
  }

  raw(bytes: Uint8Array, start: number, end: number): void {
    this.bytes.set(bytes.subarray(start, end), this.end);
    this.end += end - start;
  }

  encode(row: number, end: number): number {
    const { engine } = this;
    const from = row % CHUNK_ROWS;
    this.load(row - from);
    const count = Math.min(end - row, CHUNK_ROWS - from);
    const done = engine.encodeRecords(from, count, this.end, this.start + PIECE_BYTES);
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
