import type { InputFormat } from '../address/input-format.js';
import type { JoinTable } from './join-table.js';
import type { OptionMention } from '../messages/option-message.js';
import type { Precedence } from '../rows/precedence.js';
import type { InputPlaces } from '../rows/input-places.js';
import type { LayoutOptions } from '../schema/record-layout.js';

/** Which rows without values are left out. */
export type EmptyRowRule = 'none' | 'all' | 'any';

/** What happens where rows overlap. */
export type OverlapRule = Precedence | 'error';

/** A build's complete settings, with defaults filled in. */
export interface BuildPlan extends LayoutOptions {
  /** Name of the input in messages. */
  readonly file: string;
  readonly format: InputFormat;
  /** The selectable formats, from which messages suggest one that fits. */
  readonly choice: readonly InputFormat[];
  /** Byte between fields. */
  readonly separator: number;
  /**
   * Names of the value columns: `undefined` if the first row contains them, otherwise one or more lists, of which the
   * one that fits the first row is used.
   */
  readonly columns: readonly (readonly string[])[] | undefined;
  /** The columns' database for messages, such as `DB11`. */
  readonly database?: string;
  /** True if `-` marks an empty cell, as in vendor files. */
  readonly dashIsEmpty: boolean;
  /** Other text that does, by column. */
  readonly noValues: ReadonlyMap<string, RegExp>;
  /** `none` keeps all rows; `all` leaves out rows without any value; `any` rows with an empty cell. */
  readonly dropEmptyRows: EmptyRowRule;
  /** True to store empty cells as `-`, false to omit them from the record. */
  readonly keepEmptyCells: boolean;
  /** Files whose columns are added to the rows that refer to them. */
  readonly joins: readonly JoinTable[];
  /** True to build an IPv4 tree, without IPv6 rows. */
  readonly forceIpv4: boolean;
  readonly skipInvalid: boolean;
  /** Which of overlapping rows wins, or `error`. */
  readonly overlap: OverlapRule;
  /** The option that forbids overlaps. */
  readonly overlapOption: OptionMention;
  readonly lookupName: string;
  readonly description: string;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
  /** Where rows come from, if from several files. */
  readonly places?: InputPlaces;
}
