import { INPUT_FORMATS, type InputFormat, looksLikeAddress } from '../address/input-format.js';
import type { CellReader } from '../csv/cell-reader.js';
import type { BuildPlan } from './build-plan.js';
import { columnsForRow, columnsFromHeader, validateLayout, RANGE_KEYS } from './csv-columns.js';
import { type ViolationList, INVALID_UTF8 } from './input-violations.js';
import { RowValues } from './row-values.js';

/** What the first rows of a file settle: its columns, and how addresses are written where the plan leaves that open. */
export class TableColumns {
  format: InputFormat;
  /** Set once the columns and the way addresses are written are known. */
  values: RowValues | undefined;
  /** The first row's cells where it holds the column names, and its line. */
  private header: readonly string[] | undefined;
  private headerLine = 1;

  constructor(
    private plan: BuildPlan,
    private readonly violations: ViolationList,
  ) {
    this.format = plan.format;
  }

  /** True when the first row must hold the column names, and none has been read. */
  get awaitsHeader(): boolean {
    return this.plan.columns === undefined && this.header === undefined;
  }

  /**
   * Takes the next row until {@link values} is set.
   *
   * @param line where the row starts
   * @returns true when the row is data
   * @throws {LookupInputError} when the columns cannot be those of a lookup
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
    if (this.format.name === 'auto' && !isPairOfAddresses(texts)) this.useFormat(INPUT_FORMATS.get('cidr')!);
    if (this.header !== undefined) this.useHeader(this.header, this.headerLine);
    else this.use(columnsForRow(texts, this.plan.columns ?? [], this.plan, line, this.violations));
    return true;
  }

  /**
   * Ends the input.
   *
   * @throws {LookupInputError} when a header is missing, or its columns cannot be those of a lookup
   */
  end(): RowValues {
    if (this.awaitsHeader) {
      throw this.violations.fatal(undefined, 'is empty: its first row must hold the column names');
    }
    if (this.header !== undefined && this.values === undefined) this.useHeader(this.header, this.headerLine);
    return (
      this.values ??
      this.use(validateLayout(this.plan.columns?.[0] ?? [], this.plan, undefined, this.violations))
    );
  }

  /** @returns the name of a column as the input or the caller has it, or its number from 1 where there is none */
  nameOf(index: number): string {
    return this.header?.[index] ?? this.givenName(index) ?? String(index + 1);
  }

  /** A name of the plan's; names of the address columns may have been left out. */
  private givenName(index: number): string | undefined {
    const { values, format, plan } = this;
    if (values === undefined) return undefined;
    const { addressColumns } = format;
    if (index >= addressColumns) return values.columns[index - addressColumns];
    const whole = plan.columns?.find((names) => names.length === addressColumns + values.columns.length);
    return whole?.[index] ?? (addressColumns === 2 ? RANGE_KEYS[index] : undefined);
  }

  private useHeader(names: readonly string[], line: number): void {
    this.use(columnsFromHeader(names, this.plan, line, this.violations));
  }

  private use(columns: readonly string[]): RowValues {
    return (this.values = new RowValues(columns, this.plan));
  }

  private useFormat(format: InputFormat): void {
    this.format = format;
    this.plan = { ...this.plan, format };
  }
}

/** True when the first two cells are addresses, so that they are the two ends of a range. */
function isPairOfAddresses(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.slice(0, 2).every((cell) => !/[/-]/.test(cell) && looksLikeAddress(cell));
}
