import type { CellReader } from '../csv/cell-reader.js';
import type { JoinTable } from './join-table.js';
import { optionMessage } from '../messages/option-message.js';
import { RecordLayoutError } from '../schema/record-layout.js';
import { firstDuplicate } from '../schema/first-duplicate.js';

/** Maximum number of unmatched keys listed. */
const MAX_LISTED_KEYS = 5;

/** Unmatched references to a joined file. */
export interface MissingKeys {
  readonly file: string;
  /** The column that refers to it. */
  readonly column: string;
  /** Distinct references. */
  readonly count: number;
  /** The first few. */
  readonly keys: readonly string[];
}

/** Finds the cells that joined files add to a row. */
export class JoinedCells {
  /** Names of the added columns. */
  readonly columns: readonly string[];
  private readonly keyColumns: readonly number[];
  private readonly missing: readonly Set<string>[];

  /**
   * @param columns the value columns of the file
   * @throws {RecordLayoutError} if it lacks a column, or has one that is added
   */
  constructor(
    columns: readonly string[],
    private readonly tables: readonly JoinTable[],
  ) {
    this.keyColumns = tables.map(({ file, rowColumn }) => {
      const at = columns.indexOf(rowColumn);
      if (at >= 0) return at;
      throw new RecordLayoutError(
        optionMessage`${{ option: 'join', value: file }} refers to ${JSON.stringify(rowColumn)}, which is not a value column`,
      );
    });
    this.columns = tables.flatMap((table) => table.columns);
    const twice = firstDuplicate([...columns, ...this.columns]);
    if (twice !== undefined) {
      throw new RecordLayoutError(
        optionMessage`${{ option: 'join' }} adds the column ${JSON.stringify(twice)}, but a column of this name exists: use a prefix`,
      );
    }
    this.missing = tables.map(() => new Set());
  }

  /**
   * The added cells of a row, in the order of {@link columns}; empty if no row matches.
   *
   * @param firstValue index of the first value cell
   */
  read(cells: CellReader, firstValue: number): readonly string[] {
    return this.tables.flatMap((table, index) => {
      const key = cells.text(firstValue + this.keyColumns[index]!);
      const found = table.rows.get(key);
      if (found !== undefined) return found;
      if (key !== '') this.missing[index]!.add(key);
      return table.columns.map(() => '');
    });
  }

  /** Unmatched references, by joined file. */
  get missingKeys(): readonly MissingKeys[] {
    return this.tables.flatMap(({ file, rowColumn }, index) => {
      const keys = this.missing[index]!;
      if (keys.size === 0) return [];
      return [{ file, column: rowColumn, count: keys.size, keys: [...keys].slice(0, MAX_LISTED_KEYS) }];
    });
  }
}
