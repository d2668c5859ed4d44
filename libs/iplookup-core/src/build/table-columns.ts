import { INPUT_FORMATS, type InputFormat } from '../address/input-format.js';
import type { CellReader } from '../csv/cell-reader.js';
import type { BuildPlan } from './build-plan.js';
import { columnsForRow, columnsFromHeader } from './csv-columns.js';
import { type ViolationList, INVALID_UTF8 } from './input-violations.js';
import { optionMessage } from '../messages/option-message.js';
import { isNetworkRow, isPairOfAddresses, namesRange, rangeRemedy } from './range-columns.js';
import { RANGE_KEYS, RecordLayoutError } from '../schema/record-layout.js';
import { RowValues } from './row-values.js';

/** Determines the columns from a file's first rows, and the address format if the plan leaves it open. */
export class TableColumns {
  format: InputFormat;
  /** Set once the columns and the address format are known. */
  values: RowValues | undefined;
  /** The header's cells and line, if there is one. */
  private header: readonly string[] | undefined;
  private headerLine = 1;
  /** True if the first row has one address, which may be half of a range. */
  mayHaveRanges = false;

  constructor(
    private plan: BuildPlan,
    private readonly violations: ViolationList,
  ) {
    this.format = plan.format;
  }

  /** True if a header is required but has not been read. */
  get awaitsHeader(): boolean {
    return this.plan.columns === undefined && this.header === undefined;
  }

  /** True if a header promises two columns of addresses. */
  get haveRangeNames(): boolean {
    return this.header !== undefined && namesRange(this.header);
  }

  /**
   * Processes the next row until {@link values} is set.
   *
   * @param line where the row starts
   * @returns true if the row is data
   * @throws {LookupInputError} if the columns are not valid for a lookup
   */
  take(cells: CellReader, line: number): boolean {
    const invalid = cells.invalidUtf8();
    if (invalid >= 0)
      throw this.violations.fatal(line, INVALID_UTF8, this.nameOf(invalid), cells.text(invalid));
    const texts = cells.texts();
    if (this.awaitsHeader) {
      this.header = texts;
      this.headerLine = line;
      if (this.format.name !== 'auto') this.useHeader(texts, line);
      return false;
    }
    if (this.format.name === 'auto' && !this.hasRanges(texts)) {
      this.useFormat(INPUT_FORMATS.get('cidr')!);
      this.mayHaveRanges = !isNetworkRow(texts) || this.haveRangeNames;
    }
    if (this.header !== undefined) this.useHeader(this.header, this.headerLine);
    else this.use(columnsForRow(texts, this.plan.columns ?? [], this.plan, line, this.violations), line);
    return true;
  }

  /**
   * Ends the input.
   *
   * @throws {LookupInputError} if a header is missing or its columns are not valid for a lookup
   */
  end(): RowValues {
    if (this.awaitsHeader) {
      throw this.violations.fatal(undefined, 'is empty: its first row must hold the column names');
    }
    if (this.header !== undefined && this.values === undefined) this.useHeader(this.header, this.headerLine);
    return this.values ?? this.use(this.plan.columns?.[0] ?? [], undefined);
  }

  /** @returns a column's name from the input or the caller, or its 1-based number */
  nameOf(index: number): string {
    return this.header?.[index] ?? this.givenName(index) ?? String(index + 1);
  }

  /**
   * Takes a row of two addresses where the first row has one.
   *
   * @throws {LookupInputError} if they are of one family
   */
  refuseRange(cells: CellReader, line: number): void {
    const [first, end] = [cells.text(0), cells.text(1)];
    if (end.includes(':') !== first.includes(':')) return;
    const reason = optionMessage`may end a range, but the first row of data has no second address: ${rangeRemedy(first)}`;
    throw this.violations.fatal(line, reason, this.nameOf(1), end);
  }

  /** Whether rows begin with two addresses, in a format that leaves it open. */
  private hasRanges(first: readonly string[]): boolean {
    if (isNetworkRow(first)) return false;
    if (this.haveRangeNames) return true;
    const named = (addressColumns: number): boolean | undefined =>
      this.plan.columns?.some((names) => names.length + addressColumns === first.length);
    return isPairOfAddresses(first) || (named(2) === true && !named(1));
  }

  /** A name from the plan, which may omit the address columns. */
  private givenName(index: number): string | undefined {
    const { values, format, plan } = this;
    if (values === undefined) return undefined;
    const { addressColumns } = format;
    if (index >= addressColumns) return values.columns[index - addressColumns];
    const whole = plan.columns?.find((names) => names.length === addressColumns + values.columns.length);
    return whole?.[index] ?? (addressColumns === 2 ? RANGE_KEYS[index] : undefined);
  }

  private useHeader(names: readonly string[], line: number): void {
    this.use(columnsFromHeader(names, this.plan, line, this.violations), line);
  }

  /** @param row the row to report, if any */
  private use(columns: readonly string[], row: number | undefined): RowValues {
    try {
      return (this.values = new RowValues(columns, this.plan));
    } catch (error) {
      throw error instanceof RecordLayoutError ? this.violations.fatal(row, error.template) : error;
    }
  }

  private useFormat(format: InputFormat): void {
    this.format = format;
    this.plan = { ...this.plan, format };
  }
}
