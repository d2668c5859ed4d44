import type { InputFormatName } from '../address/input-format.js';

/** A vendor's file, as recognised by its rows. */
export interface KnownTable {
  /** Who publishes such files. */
  readonly vendor: string;
  readonly inputFormat: InputFormatName;
  readonly hasHeader: boolean;
  /** Names of the value columns: the header's, or those of their meaning. */
  readonly columns: readonly string[];
  /** Columns that are better stored as something other than text. */
  readonly types: readonly (readonly [column: string, type: string])[];
  /** What the columns are called in MaxMind's records, where that differs. */
  readonly places: readonly (readonly [column: string, place: string])[];
  /** Columns that MaxMind's records have no place for. */
  readonly placeless: readonly string[];
  /** Text that stands for no value, by column. */
  readonly noValues: ReadonlyMap<string, RegExp>;
}

/** A country's code, or what vendors write where there is none. */
export const COUNTRY_CODE = /^([A-Z]{2}|None|)$/;
