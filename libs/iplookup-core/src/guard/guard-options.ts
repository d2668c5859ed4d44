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
  /** Maximum share of the addresses with a record that may lose it, per address family. */
  readonly maxLost?: number;
  /** Maximum share of the addresses with a value in a column that may get another or none, per address family. */
  readonly maxChanged?: readonly ColumnLimit[];
  /** Maximum share of the addresses with a record that may have the same one, per address family. */
  readonly maxShare?: number;
  readonly probes?: readonly Probe[];
  /** The lookup must not have been built before the former one. */
  readonly notOlder?: boolean;
}

/**
 * The usual guards. They do not limit changed values, which would need a column, or the share of one record, because all
 * networks of a list have the same.
 */
export const USUAL_GUARDS = { verify: true, maxLost: 0.05, notOlder: true } as const satisfies GuardOptions;

/** The guards, by the names of their options. */
export type GuardName = 'verify' | 'maxLost' | 'maxChanged' | 'maxShare' | 'probe' | 'notOlder';

/** What a guard found. */
export interface GuardOutcome {
  readonly guard: GuardName;
  /** Such as `5%`, or `country_code=10%`. */
  readonly limit?: string;
  readonly passed: boolean;
  readonly found: string;
}
