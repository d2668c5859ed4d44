import { randomBytes } from 'node:crypto';
import type { RowRun } from '../rows/row-store.js';
import type { RecordPool } from '../values/record-pool.js';
import { type Engine, startEngine } from './engine.js';
import { EngineTable } from './engine-table.js';
import { type NumberedPiece, NumberedRows } from './numbered-rows.js';

/** Rows that the scanner read, including those it left out. */
export interface ScannedRows {
  readonly read: number;
  readonly emptyRows: number;
  readonly partlyEmptyRows: number;
  readonly ipv4: RowRun;
  readonly ipv6: RowRun;
}

/** The columns of values whose plain texts the engine can read. */
export interface PlainColumns {
  readonly columns: readonly PlainColumn[];
  /** Value numbers of the cells of each record; the columns' own are replaced. */
  readonly cells: readonly number[];
  /** Number of the value of an empty cell. */
  readonly emptyValue: number;
  /** True if `-` marks an empty cell. */
  readonly dashIsEmpty: boolean;
}

export interface PlainColumn {
  /** `undefined` if it is not stored. */
  readonly type: 'string' | 'double' | undefined;
  /** True if zero stands for no value. */
  readonly zeroIsEmpty: boolean;
}

/** Reads rows in plain form whose values' text is known; what is not, it leaves to its caller. */
export interface PlainRowScanner {
  /** Announces new bytes in the buffer, up to `length`; a line feed follows them. */
  begin(length: number, final: boolean, separator: number): void;
  /** Reads rows. @returns where the first one is that it cannot read, or where the bytes end */
  scan(from: number, line: number): number;
  /** Line of the last row that was read. */
  readonly line: number;
  /** True if the scan ended because rows must be taken before. */
  readonly needsRoom: boolean;
  /** Remembers the payload of the text from `start` to the end of its line. */
  keep(start: number, lineEnd: number, payload: number): void;
  /** Ends the scan. @returns memory that is no longer needed */
  end?(): Uint32Array;
  /** Passes on the rows read since the last call. */
  take(pass: (rows: ScannedRows) => void): void;
}

/** The end of the values in `assembly/layout.ts`. */
const MEMORY_BYTES = 506 << 20;

/** What follows them, for rows that another thread reads. */
const NUMBERED_BYTES = 26 << 20;

/** Columns that the engine has room for. */
const MAX_COLUMNS = 64;

/** Kinds of columns, as in `assembly/values.ts`. */
const KINDS = { string: 1, double: 2 } as const;
const ZERO_IS_EMPTY = 4;

/** The scanner in the engine, for addresses that are decimal numbers. */
export class RowScanner implements PlainRowScanner {
  private readonly numbered: NumberedRows | undefined;

  private constructor(
    private readonly engine: Engine,
    private readonly ipv6: boolean,
    isShared: boolean,
  ) {
    this.numbered = isShared ? new NumberedRows(engine) : undefined;
  }

  /**
   * @param dropRule 0 to keep all rows, 1 to leave out empty rows, 2 to leave out rows with empty cells
   * @param isShared true if another thread reads rows, too
   * @returns `undefined` if this computer cannot run it
   */
  static start(ipv6: boolean, dropRule: number, isShared = false): RowScanner | undefined {
    const engine = startEngine(isShared ? MEMORY_BYTES + NUMBERED_BYTES : MEMORY_BYTES);
    if (engine === undefined) return undefined;
    const keys = randomBytes(32);
    engine.setUp(ipv6, dropRule, ...[0, 8, 16, 24].map((at) => keys.readBigUInt64LE(at)));
    return new RowScanner(engine, ipv6, isShared);
  }

  /** The buffer of the input's bytes. */
  input(length: number): Buffer {
    return Buffer.from(this.engine.memory.buffer, this.engine.inputAt(), length);
  }

  /**
   * Lets the engine read the values of new texts from now on.
   *
   * @param records whose values and records move to the engine
   */
  readValues({ columns, cells, emptyValue, dashIsEmpty }: PlainColumns, records: RecordPool): void {
    if (cells.length > MAX_COLUMNS) return;
    const { engine } = this;
    const { buffer } = engine.memory;
    const kinds = columns.map(
      ({ type, zeroIsEmpty }) => (type === undefined ? 0 : KINDS[type]) + (zeroIsEmpty ? ZERO_IS_EMPTY : 0),
    );
    new Uint8Array(buffer, engine.kindsOfColumnsAt()).set(kinds);
    const view = new DataView(buffer, engine.cellsAt());
    for (const [index, value] of cells.entries()) view.setUint32(4 * index, value);
    engine.setUpValues(columns.length, cells.length, emptyValue, dashIsEmpty);
    records.moveTo(new EngineTable(engine, false), new EngineTable(engine, true));
    engine.setReading(true);
  }

  begin(length: number, final: boolean, separator: number): void {
    this.engine.begin(length, final, separator);
  }

  scan(from: number, line: number): number {
    return this.engine.scan(from, line);
  }

  get line(): number {
    return this.engine.line.value;
  }

  get needsRoom(): boolean {
    return this.engine.needsRoom.value !== 0;
  }

  keep(start: number, _lineEnd: number, payload: number): void {
    this.engine.keep(start, payload);
  }

  /** Finds the payloads of a piece's texts, see {@link NumberedRows.learn}. */
  learn(piece: NumberedPiece, payloadOf: (text: Buffer) => number | undefined): void {
    this.numbered!.learn(piece, payloadOf);
  }

  /** Adds rows that another thread read, see {@link NumberedRows.add}. */
  add(piece: NumberedPiece, before: number): boolean {
    return this.numbered!.add(piece, before);
  }

  end(): Uint32Array {
    const start = this.engine.textsAt();
    return new Uint32Array(this.engine.memory.buffer, start, (this.engine.textsEnd() - start) >>> 2);
  }

  take(pass: (rows: ScannedRows) => void): void {
    const { engine } = this;
    if (engine.read.value === 0) return;
    pass({
      read: engine.read.value,
      emptyRows: engine.emptyRows.value,
      partlyEmptyRows: engine.partlyEmptyRows.value,
      ipv4: this.run(false),
      ipv6: this.run(true),
    });
    engine.takenRows();
  }

  private run(ipv6: boolean): RowRun {
    const { engine } = this;
    const count = this.ipv6 || !ipv6 ? engine.rowsCount(ipv6) : 0;
    const stride = ipv6 ? 10 : 4;
    return {
      words: new Uint32Array(engine.memory.buffer, engine.rowsAt(ipv6), count * stride),
      count,
      ordered: engine.rowsOrdered(ipv6) !== 0,
      continued: engine.rowsContinued(ipv6),
    };
  }
}
