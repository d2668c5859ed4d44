import type { InputFormatName } from '../address/input-format.js';
import type { NamedValue, Schema } from '../schema/record-layout.js';
import type { OverlapRule } from './build-plan.js';
import type { JoinTable } from './join-table.js';

/** A build's options as given by the user. */
export interface BuildOptions {
  /** `csv`: with a header row; `vendor`: IP2Location's files, without one. */
  readonly kind: 'csv' | 'vendor';
  readonly inputFormat?: InputFormatName;
  /** One character, or `tab`. Default: comma. */
  readonly separator?: string;
  /** All columns in order; the address columns may be omitted. */
  readonly columnNames?: readonly string[];
  /** For `csv`: false if the first row is data. */
  readonly header?: boolean;
  readonly lookupName?: string;
  readonly keepEmptyRows?: boolean;
  readonly emptyRows?: 'all' | 'any';
  readonly types?: boolean;
  /** Default `flat`. */
  readonly schema?: Schema;
  /** For `geoip2`: MaxMind's database that the columns are from. */
  readonly databaseType?: string;
  /** Value columns to leave out. */
  readonly dropColumns?: readonly string[];
  /** The value columns to store. */
  readonly keepColumns?: readonly string[];
  /** Value columns, with the name to store them by. */
  readonly rename?: readonly NamedValue[];
  /** Columns, with one of `COLUMN_TYPES`. */
  readonly columnTypes?: readonly NamedValue[];
  /** Names, with the value that every record gets. */
  readonly set?: readonly NamedValue[];
  /** Files to join, read. */
  readonly joins?: readonly JoinTable[];
  readonly includeIpRange?: boolean;
  readonly forceIpv4?: boolean;
  readonly skipInvalid?: boolean;
  /** True: the same as `overlap: 'error'`. */
  readonly strict?: boolean;
  /** Default `later`. */
  readonly overlap?: OverlapRule;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
}
