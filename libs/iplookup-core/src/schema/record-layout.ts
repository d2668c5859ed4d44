import { formatMessage, type OptionMessage } from '../messages/option-message.js';
import type { ColumnType } from '../values/column-type.js';

/** `flat`: column name to value; `geoip2`: MaxMind's nested records. */
export type Schema = 'flat' | 'geoip2';

/** The build options that determine the layout. */
export interface LayoutOptions {
  readonly schema: Schema;
  /** Value columns that are read but not stored. */
  readonly dropColumns: readonly string[];
  /** True to store known numeric columns as numbers. */
  readonly typed: boolean;
}

/** A part of a nested record: a column's value, or a map or array of further parts. */
export type Shape =
  | { readonly kind: 'cell'; readonly column: number }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Shape> }
  | { readonly kind: 'array'; readonly entries: ReadonlyMap<string, Shape> };

/** How the columns are stored. */
export interface RecordLayout {
  /** Each column's type; `undefined` if left out. */
  readonly types: readonly (ColumnType | undefined)[];
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
