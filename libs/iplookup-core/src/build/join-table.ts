import { isUtf8 } from 'node:buffer';
import { checkNames } from './check-names.js';
import { INVALID_UTF8, ViolationList } from './input-violations.js';
import { CellReader } from '../csv/cell-reader.js';
import { readFileStart } from '../csv/file-start.js';
import { FieldBounds, scanRecord } from '../csv/scan-record.js';

/** How the rows of a file refer to those of another one. */
export interface JoinKey {
  /** The column of the joined file that identifies its rows. */
  readonly column: string;
  /** The column of the rows that refers to it. */
  readonly rowColumn: string;
  /** Precedes the names of the joined columns. */
  readonly prefix: string;
}

/** A file whose columns are added to the rows that refer to it. */
export interface JoinTable extends JoinKey {
  /** The file's name in messages. */
  readonly file: string;
  /** The added columns, with their prefix; the key is not one of them. */
  readonly columns: readonly string[];
  /** The added cells, by the key. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads a file to join: CSV with a header, separated by commas unless its first line says otherwise.
 *
 * @param file its name in messages
 * @throws {LookupInputError} if it is malformed, or its keys are not unique
 */
export function parseJoinTable(bytes: Buffer, file: string, key: JoinKey): JoinTable {
  return new TableReader(bytes, file, key).read();
}

const COMMA = 44;

class TableReader {
  private readonly violations: ViolationList;
  private readonly fields = new FieldBounds();
  private readonly cells: CellReader;
  private line = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly file: string,
    private readonly key: JoinKey,
  ) {
    this.violations = new ViolationList(file);
    this.cells = new CellReader(bytes, this.fields);
  }

  read(): JoinTable {
    const { file, key } = this;
    if (!isUtf8(this.bytes)) throw this.violations.fatal(undefined, INVALID_UTF8);
    const [header, ...rest] = this.records();
    if (header === undefined)
      throw this.violations.fatal(undefined, 'is empty: its first row must hold the column names');
    checkNames(header.cells, header.line, this.violations);
    const at = header.cells.indexOf(key.column);
    if (at < 0) {
      const reason = `has no column ${JSON.stringify(key.column)}; it has ${header.cells.join(', ')}`;
      throw this.violations.fatal(header.line, reason);
    }
    const lines = new Map<string, number>();
    const rows = new Map<string, readonly string[]>();
    for (const { cells, line } of rest) {
      const id = cells[at] ?? '';
      const reason = this.violationIn(cells.length, header.cells.length, lines.get(id));
      if (reason !== undefined) throw this.violations.fatal(line, reason, key.column, id);
      // Rows without a reference refer to none.
      if (id === '') continue;
      lines.set(id, line);
      rows.set(id, cells.toSpliced(at, 1));
    }
    const columns = header.cells.toSpliced(at, 1).map((name) => key.prefix + name);
    return { file, ...key, columns, rows };
  }

  private violationIn(count: number, expected: number, former: number | undefined): string | undefined {
    if (count !== expected) return `is in a row of ${count} columns, but ${expected} are expected`;
    return former === undefined ? undefined : `is already the key of row ${former}: keys must be unique`;
  }

  private records(): { readonly cells: string[]; readonly line: number }[] {
    const { bytes, fields } = this;
    const start = readFileStart(bytes, bytes.length);
    if (typeof start === 'string') throw this.violations.fatal(undefined, 'is UTF-16 text: save it as UTF-8');
    const records: { readonly cells: string[]; readonly line: number }[] = [];
    this.line = start.separator === undefined ? 1 : 2;
    for (let p = start.next; p < bytes.length;) {
      const next = scanRecord(bytes, p, bytes.length, true, start.separator ?? COMMA, fields);
      if (next < 0)
        throw this.violations.fatal(this.line, 'has an unclosed quote, or text after a closing one');
      const isBlank = fields.count === 1 && fields.starts[0] === fields.ends[0];
      if (!isBlank) records.push({ cells: this.cells.texts(), line: this.line });
      for (let q = p; (q = bytes.indexOf(10, q) + 1) > 0 && q <= next;) this.line++;
      p = next;
    }
    return records;
  }
}
