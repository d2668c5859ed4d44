/**
 * Rows of CSV in plain form, scanned by WebAssembly: see `assembly/index.ts`. The texts of their values are numbered, so
 * that each is interpreted once.
 */

/** The part of WebAssembly's types that is used; Node's types lack them. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** The exported functions; places are offsets in the memory. */
interface Exports {
  setKeys(start: number, end: number, masks: number): void;
  setTable(slots: number, slotsEnd: number, entries: number, entriesEnd: number): void;
  configure(format: number, width: number, separator: number, batch: number): void;
  scan(start: number, stop: number, end: number, out: number, outEnd: number): number;
  scannedRows(): number;
}

/** How rows begin. */
export interface RowFormat {
  /** Of the addresses: the name of an input format. */
  readonly name: string;
  /** Words per address. */
  readonly width: 1 | 4;
  /** Byte between fields. */
  readonly separator: number;
}

/** The compiled scanner, with random bytes that input cannot have been crafted for. */
export interface ScanProgram {
  readonly module: object;
  /** {@link KEY_BYTES} of them. */
  readonly keys: Uint8Array;
}

/** Formats of addresses that can be scanned, numbered as in `assembly/addresses.ts`. */
const FORMATS: readonly string[] = ['ipv4-int', 'ipv6-int', 'ipv4'];

/** Longer texts are not in plain form. */
const MAX_TEXT_BYTES = 4096;

/** 16 for each 16 bytes of a text, and for the last steps of the hash. */
export const KEY_BYTES = MAX_TEXT_BYTES + 16;

/** Bytes after the input that may be read. */
const MARGIN_BYTES = 64;

const KIB = 1024;
const MIB = 1024 * KIB;
const PAGE_BYTES = 64 * KIB;

/** Memory limits of the texts and of the slots of their table: room for two million. */
const TEXT_BYTES = 192 * MIB;
const SLOT_BYTES = 48 * MIB;

/** Where things are in the memory; the first bytes are the program's. */
const BATCH_AT = 4 * KIB;
const MASKS_AT = 8 * KIB;
const KEYS_AT = 12 * KIB;
const ROWS_AT = 32 * KIB;

/** Scans rows in its memory. Only the parts of it that are used take up physical memory. */
export class RowScanner {
  /** The bytes to scan. */
  readonly input: Buffer;
  /** The rows found by the last scan, see {@link RowScanner.stride}. */
  readonly rows: Uint32Array;
  /** Words per row: first and last address, the number of the text that follows them, offset from the scan's start. */
  stride = 0;
  /** Number of rows found by the last scan. */
  count = 0;
  private readonly program: Exports;
  private readonly inputAt: number;

  /**
   * @param inputBytes size of the input
   * @param maxRows found by one scan, if the addresses have four words
   * @returns `undefined` if the process may not have the memory
   */
  static create(program: ScanProgram, inputBytes: number, maxRows: number): RowScanner | undefined {
    try {
      return new RowScanner(program, inputBytes, maxRows);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private constructor({ module, keys }: ScanProgram, inputBytes: number, maxRows: number) {
    const rowsEnd = ROWS_AT + maxRows * 40;
    const inputEnd = rowsEnd + inputBytes + MARGIN_BYTES;
    const slotsAt = Math.ceil(inputEnd / PAGE_BYTES) * PAGE_BYTES;
    const textsAt = slotsAt + SLOT_BYTES;
    const pages = (textsAt + TEXT_BYTES) / PAGE_BYTES;
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    new Uint8Array(memory.buffer).set(keys, KEYS_AT);
    this.rows = new Uint32Array(memory.buffer, ROWS_AT, maxRows * 10);
    this.input = Buffer.from(memory.buffer, rowsEnd, inputBytes);
    this.inputAt = rowsEnd;
    this.program = new WebAssembly.Instance(module, { env: { memory } }).exports as Exports;
    this.program.setKeys(KEYS_AT, KEYS_AT + KEY_BYTES, MASKS_AT);
    this.program.setTable(slotsAt, textsAt, textsAt, textsAt + TEXT_BYTES);
  }

  /** Sets what to scan. @returns false if rows of this format cannot be scanned */
  configure({ name, width, separator }: RowFormat): boolean {
    const number = FORMATS.indexOf(name);
    if (number < 0) return false;
    this.stride = 2 * width + 2;
    this.program.configure(number, width, separator, BATCH_AT);
    return true;
  }

  /**
   * Scans the rows that start from `start` on and before `stop`, as far as they are in plain form and there is room.
   *
   * @param end where the input's content ends
   * @returns where the next row starts
   */
  scan(start: number, stop: number, end: number): number {
    const { program, inputAt } = this;
    const outEnd = ROWS_AT + this.rows.byteLength;
    const next = program.scan(inputAt + start, inputAt + stop, inputAt + end, ROWS_AT, outEnd);
    this.count = program.scannedRows();
    return next - inputAt;
  }
}
