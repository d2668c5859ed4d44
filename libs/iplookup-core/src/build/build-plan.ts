import type { InputFormat } from '../address/input-format.js';
import type { LayoutOptions } from '../schema/record-layout.js';

/** Which rows without values are left out. */
export type EmptyRowRule = 'none' | 'all' | 'any';

/** Everything that decides what a lookup file becomes, all defaults filled in. */
export interface BuildPlan extends LayoutOptions {
  /** Name of the input in messages. */
  readonly file: string;
  readonly format: InputFormat;
  /** The formats that could have been chosen: messages name one that fits better. */
  readonly choice: readonly InputFormat[];
  /** Byte between fields. */
  readonly separator: number;
  /**
   * Names of the value columns: `undefined` when the first row holds them, else one or more lists, of which the one
   * that fits the first row is taken.
   */
  readonly columns: readonly (readonly string[])[] | undefined;
  /** What the columns belong to, for messages, such as `DB11`. */
  readonly database?: string;
  /** True when `-` marks an empty cell, as the vendor's files have it. */
  readonly dashIsEmpty: boolean;
  /** `none` keeps all rows; `all` leaves out rows whose cells are all empty; `any` those with an empty one. */
  readonly dropEmptyRows: EmptyRowRule;
  /** True: an empty cell is stored as `-`; false: it is left out of the record. */
  readonly keepEmptyCells: boolean;
  readonly includeIpRange: boolean;
  /** True: an IPv4 tree, in which IPv6 rows have no place. */
  readonly forceIpv4: boolean;
  readonly skipInvalid: boolean;
  /** True: overlapping rows are errors. */
  readonly strict: boolean;
  readonly lookupName: string;
  readonly description: string;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
}
