import type { CellReader } from '../csv/cell-reader.js';
import { TYPE } from '../mmdb/mmdb-format.js';
import type { ByteWriter } from '../mmdb/byte-writer.js';
import { optionMessage } from '../messages/option-message.js';
import type { PlainColumns } from '../scan/row-scanner.js';
import { planLayout } from '../schema/plan-layout.js';
import { type RecordLayout, RecordLayoutError } from '../schema/record-layout.js';
import { MAX_NUMBER_LENGTH, type NumberType, parseNumber, parsePlainDecimal } from '../values/column-type.js';
import { ABSENT, RecordPool } from '../values/record-pool.js';
import type { BuildPlan } from './build-plan.js';
import { JoinedCells } from './joined-cells.js';
import { EMPTY_ROW, FULL_ROW, isDropped, PARTLY_EMPTY, payloadOf } from './row-payload.js';

/** A cell with an invalid value for its column. */
export interface InvalidCell {
  readonly column: string;
  readonly text: string;
  readonly reason: string;
}

const DASH = 45;

const DECIMAL_ZERO = /^-?0+(\.0*)?$/;

/** Placeholder zeros that vendors use for unknown values, by column. */
const ZEROS: ReadonlyMap<string, RegExp> = new Map([
  ['latitude', DECIMAL_ZERO],
  ['longitude', DECIMAL_ZERO],
  ['elevation', /^0$/],
]);

const NOUNS: Readonly<Record<NumberType, string>> = {
  double: 'a number',
  int32: 'a whole number',
  uint32: 'a whole number from 0 on',
  uint16: 'a whole number from 0 to 65535',
  asn: 'the number of an autonomous system',
  boolean: 'one of true, false, 1 and 0',
};

/** Converts rows' value cells to records. */
export class RowValues {
  readonly records: RecordPool;
  readonly layout: RecordLayout;
  /** Number of stored columns. */
  private readonly stored: number;
  /** Additional text that counts as empty, by column. */
  private readonly zeros: readonly (RegExp | undefined)[];
  /** Whether a stored column has such text. */
  private readonly hasZeros: boolean;
  /** The same, but such cells are not stored either. */
  private readonly noValues: readonly (RegExp | undefined)[];
  /** The value of a cell kept as `-`. */
  private readonly dash: number;
  readonly joined: JoinedCells;
  /** The values of the columns that follow those of the file and of joined files. */
  private readonly constants: readonly number[];

  /**
   * @param columns names of the value columns
   * @throws {RecordLayoutError} if they or the constants cannot be stored as planned
   */
  constructor(
    readonly columns: readonly string[],
    private readonly plan: BuildPlan,
  ) {
    this.joined = new JoinedCells(columns, plan.joins);
    const all = [...columns, ...this.joined.columns];
    this.layout = planLayout(all, plan);
    this.records = new RecordPool(this.layout.keys);
    this.stored = all.filter((_, column) => this.layout.types[column] !== undefined).length;
    this.zeros = columns.map((column) => (plan.dashIsEmpty ? ZEROS.get(column) : undefined));
    this.hasZeros = this.zeros.some((zero, column) => zero && this.layout.types[column] !== undefined);
    this.noValues = columns.map((column) => plan.noValues.get(column));
    this.dash = this.records.intern((target) => target.text('-'));
    this.constants = plan.set.map(([, text], index) => this.constant(all.length + index, text));
  }

  /** @returns the payload of a row's values, or the invalid cell */
  read(cells: CellReader): number | InvalidCell {
    const { addressColumns } = this.plan.format;
    const added = this.joined.read(cells, addressColumns);
    const kind = this.kindOf(cells, added);
    if (isDropped(kind, this.plan.dropEmptyRows)) return payloadOf(0, kind);
    for (let column = 0; column < this.columns.length; column++) {
      const value = this.valueOf(cells, column);
      if (typeof value !== 'number') return value;
      this.records.setCell(column, value);
    }
    for (const [index, text] of added.entries()) {
      const value = this.addedValue(this.columns.length + index, text);
      if (typeof value !== 'number') return value;
      this.records.setCell(this.columns.length + index, value);
    }
    for (const [index, value] of this.constants.entries())
      this.records.setCell(this.columns.length + added.length + index, value);
    return payloadOf(this.records.internCells(), kind);
  }

  /** @returns `undefined` if the engine cannot read the columns */
  get plain(): PlainColumns | undefined {
    const { columns, joined, constants, layout, zeros, noValues, plan } = this;
    if (joined.columns.length > 0) return undefined;
    const plain: PlainColumns['columns'][number][] = [];
    for (const [column, zero] of zeros.entries()) {
      const type = layout.types[column];
      if (type !== undefined && type !== 'string' && type !== 'double') return undefined;
      if ((zero ?? DECIMAL_ZERO) !== DECIMAL_ZERO || noValues[column] !== undefined) return undefined;
      plain.push({ type, zeroIsEmpty: zero !== undefined });
    }
    return {
      columns: plain,
      cells: [...columns.map(() => ABSENT), ...constants],
      emptyValue: plan.keepEmptyCells ? this.dash : ABSENT,
      dashIsEmpty: plan.dashIsEmpty,
    };
  }

  private kindOf(cells: CellReader, added: readonly string[]): number {
    const isStored = (index: number): boolean => this.layout.types[this.columns.length + index] !== undefined;
    let empty = 0;
    for (const [index, text] of added.entries()) if (text === '' && isStored(index)) empty++;
    empty += this.count(cells, (column) => this.isEmpty(cells, column));
    if (empty === 0 && !this.isEmptyElsewhere(cells)) return FULL_ROW;
    if (empty + this.count(cells, (column) => this.isZero(cells, column)) === this.stored) return EMPTY_ROW;
    return empty === 0 ? FULL_ROW : PARTLY_EMPTY;
  }

  /** Whether the columns that are not stored show that zeros stand for unknown values. */
  private isEmptyElsewhere(cells: CellReader): boolean {
    if (!this.hasZeros) return false;
    let empty = 0;
    for (let column = 0; column < this.columns.length; column++) {
      if (this.layout.types[column] !== undefined) continue;
      cells.select(this.plan.format.addressColumns + column);
      if (this.isEmpty(cells, column)) empty++;
      else if (!this.isZero(cells, column)) return false;
    }
    return empty > 0;
  }

  /** Counts the stored columns of the file, each selected, that pass a test. */
  private count(cells: CellReader, passes: (column: number) => boolean): number {
    let count = 0;
    for (let column = 0; column < this.columns.length; column++) {
      if (this.layout.types[column] === undefined) continue;
      cells.select(this.plan.format.addressColumns + column);
      if (passes(column)) count++;
    }
    return count;
  }

  /** @param cells with the cell to test selected */
  private isZero(cells: CellReader, column: number): boolean {
    return !this.isEmpty(cells, column) && this.zeros[column]?.test(cells.selected) === true;
  }

  /** @param cells with the cell to test selected */
  private isEmpty(cells: CellReader, column: number): boolean {
    const { bytes, start, end } = cells;
    if (end === start) return true;
    if (this.plan.dashIsEmpty && end === start + 1 && bytes[start] === DASH) return true;
    return this.noValues[column]?.test(cells.selected) === true;
  }

  private valueOf(cells: CellReader, column: number): number | InvalidCell {
    const type = this.layout.types[column];
    if (type === undefined) return ABSENT;
    cells.select(this.plan.format.addressColumns + column);
    if (this.isEmpty(cells, column)) return this.plan.keepEmptyCells ? this.dash : ABSENT;
    if (type === 'string') return this.records.internText(cells.bytes, cells.start, cells.end);
    const plain = type === 'double' ? parsePlainDecimal(cells.bytes, cells.start, cells.end) : undefined;
    if (plain !== undefined) return this.records.internDouble(plain);
    const text = cells.selected;
    const number = parseNumber(text, type);
    if (number === undefined) return { column: this.columns[column]!, text, reason: refusal(text, type) };
    return this.records.intern((target) => writeNumber(target, type, number));
  }

  private addedValue(column: number, text: string): number | InvalidCell {
    const type = this.layout.types[column];
    if (type === undefined || text === '') return ABSENT;
    if (type === 'string') return this.records.intern((target) => target.text(text));
    const number = parseNumber(text, type);
    if (number !== undefined) return this.records.intern((target) => writeNumber(target, type, number));
    const name = this.joined.columns[column - this.columns.length]!;
    return { column: name, text, reason: refusal(text, type) };
  }

  private constant(column: number, text: string): number {
    const type = this.layout.types[column];
    if (type === undefined) return ABSENT;
    if (type === 'string') return this.records.intern((target) => target.text(text));
    const number = parseNumber(text, type);
    if (number !== undefined) return this.records.intern((target) => writeNumber(target, type, number));
    const value = `${this.layout.keys[column]}=${text}`;
    throw new RecordLayoutError(optionMessage`${{ option: 'set', value }}: ${refusal(text, type)}`);
  }
}

function refusal(text: string, type: NumberType): string {
  if (text.length <= MAX_NUMBER_LENGTH) return `is not ${NOUNS[type]}`;
  return `has more than ${MAX_NUMBER_LENGTH} characters, the limit for a number`;
}

function writeNumber(target: ByteWriter, type: NumberType, number: number): void {
  if (type === 'double') target.double(number);
  else if (type === 'boolean') target.control(TYPE.boolean, number);
  else target.integer(TYPE[type === 'asn' ? 'uint32' : type], number);
}
