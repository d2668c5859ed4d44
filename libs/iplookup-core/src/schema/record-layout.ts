import { formatMessage, type OptionMessage } from '../messages/option-message.js';
import type { ColumnType } from '../values/column-type.js';

/** `flat`: column name to value; `geoip2`: MaxMind's nested records. */
export type Schema = 'flat' | 'geoip2';

/** The options of a build that decide where the columns go. */
export interface LayoutOptions {
  readonly schema: Schema;
  /** Value columns that are read, but not stored. */
  readonly dropColumns: readonly string[];
  /** True: columns known to hold numbers are stored as numbers. */
  readonly typed: boolean;
}

/** A part of a nested record: a column's value, or a map or array of further parts. */
export type Shape =
  | { readonly kind: 'cell'; readonly column: number }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Shape> }
  | { readonly kind: 'array'; readonly entries: ReadonlyMap<string, Shape> };

/** What becomes of the columns. */
export interface RecordLayout {
  /** How each column is stored; `undefined` when it is left out. */
  readonly types: readonly (ColumnType | undefined)[];
  /** Where the values stand in a record; absent for flat ones. */
  readonly shape?: Shape;
  /** What the metadata say where a schema asks for more than the lookup's name. */
  readonly databaseType?: string;
  readonly languages: readonly string[];
}

/** The columns cannot be stored as was asked. */
export class RecordLayoutError extends Error {
  override readonly name = 'RecordLayoutError';

  /** @param template the message; `message` names options as the command line does */
  constructor(readonly template: string | OptionMessage) {
    super(formatMessage(template));
  }
}
