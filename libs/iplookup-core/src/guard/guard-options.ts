/** The largest share of a column's addresses that may change their value. */
export interface ColumnLimit {
  /** A dotted path for nested records. */
  readonly column: string;
  readonly share: number;
}

/** What an address must have. */
export interface Probe {
  readonly address: string;
  readonly column: string;
  /** `-` for none. */
  readonly value: string;
}

/** Conditions that a new lookup must meet before it replaces the former one. Shares are numbers from 0 to 1. */
export interface GuardOptions {
  /** The file must be valid for all its readers. */
  readonly verify?: boolean;
  /** Of the addresses with a record, how many may have none any more, per address family. */
  readonly maxLost?: number;
  /** Of the addresses with a value of a column, how many may have another or none, per address family. */
  readonly maxChanged?: readonly ColumnLimit[];
  /** Of the addresses with a record, how many may have the same one, per address family. */
  readonly maxShare?: number;
  readonly probes?: readonly Probe[];
  /** The lookup must not have been built before the former one. */
  readonly notOlder?: boolean;
}

/**
 * The guards of a build that asks for the usual ones. No limit for changed values, which belong to a column, nor for the
 * share of one record: in a list of networks, all have the same.
 */
export const USUAL_GUARDS = { verify: true, maxLost: 0.05, notOlder: true } as const satisfies GuardOptions;

/** Each guard, as its option is called. */
export type GuardName = 'verify' | 'maxLost' | 'maxChanged' | 'maxShare' | 'probe' | 'notOlder';

/** What a guard found. */
export interface GuardOutcome {
  readonly guard: GuardName;
  /** Such as `5%`, or `country_code=10%`. */
  readonly limit?: string;
  readonly passed: boolean;
  readonly found: string;
}
