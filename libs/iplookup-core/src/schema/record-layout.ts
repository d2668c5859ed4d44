import { formatMessage, type OptionMessage } from '../messages/option-message.js';
import type { ColumnType } from '../values/column-type.js';

/** `flat`: column name to value; `geoip2`: MaxMind's nested records. */
export type Schema = 'flat' | 'geoip2';

/** Keys of the first and last address added by `--include-ip-range`. */
export const RANGE_KEYS: readonly string[] = ['ip_from', 'ip_to'];

/** A column and what it gets. */
export type NamedValue<Value = string> = readonly [column: string, value: Value];

/** The build options that determine the layout. */
export interface LayoutOptions {
  readonly schema: Schema;
  /** Value columns that are read but not stored. */
  readonly dropColumns: readonly string[];
  /** The value columns to store; `undefined` for all but `dropColumns`. */
  readonly keepColumns: readonly string[] | undefined;
  /** Columns by the name in the file, with the name in the records. */
  readonly rename: readonly NamedValue[];
  /** Columns by the name in the file, with their type. */
  readonly columnTypes: readonly NamedValue<ColumnType>[];
  /** Names in the records, with the value that all records have. */
  readonly set: readonly NamedValue[];
  /** True to store known numeric columns as numbers. */
  readonly typed: boolean;
  /** True to add the row's addresses to the values. */
  readonly includeIpRange: boolean;
  /** For `geoip2`: the name of MaxMind's database whose records are written. Default: what the columns suggest. */
  readonly databaseType?: string | undefined;
}

/** A part of a nested record: a column's value, or a map or array of further parts. */
export type Shape =
  | { readonly kind: 'cell'; readonly column: number }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Shape> }
  | { readonly kind: 'array'; readonly entries: ReadonlyMap<string, Shape> };

/** How the columns are stored. */
export interface RecordLayout {
  /** Each column's type; `undefined` if left out. Constants follow the value columns. */
  readonly types: readonly (ColumnType | undefined)[];
  /** The keys of flat records, in the same order. */
  readonly keys: readonly string[];
  /** The structure of nested records; absent for flat ones. */
  readonly shape?: Shape;
  /** The metadata's database type, if the schema requires a specific one. */
  readonly databaseType?: string;
  readonly languages: readonly string[];
}

/** The columns cannot be stored as requested. */
export class RecordLayoutError extends Error {
  override readonly name = 'RecordLayoutError';

  /** @param template the message; `message` names options like the command line */
  constructor(readonly template: string | OptionMessage) {
    super(formatMessage(template));
  }
}
