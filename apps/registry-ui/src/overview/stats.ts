import { queryOptions } from '@tanstack/react-query';
import { fetchBody } from '../api/request.js';

/** Counts by age; nothing counts twice. */
export interface AgeGroup {
  /** Upper bound in days; absent for anything older. */
  readonly within_days?: number;
  readonly count: number;
}

/** Response of `GET /clients/stats`. */
export interface Stats {
  readonly as_of: string;
  readonly clients: number;
  readonly enabled: number;
  readonly disabled: number;
  readonly with_warnings: number;
  /** Most frequent first. */
  readonly warnings: readonly { readonly code: string; readonly clients: number }[];
  /** By time since registration. */
  readonly age: readonly AgeGroup[];
  readonly secrets: {
    readonly count: number;
    /** By time since a check last found them valid. */
    readonly last_use: readonly AgeGroup[];
    readonly never_used: number;
    /** Cumulative: a longer span includes the shorter ones. */
    readonly expiring: readonly { readonly within_days: number; readonly count: number }[];
  };
}

/** Statistics of an empty registry. */
export const NO_STATS: Stats = {
  as_of: '',
  ...{ clients: 0, enabled: 0, disabled: 0, with_warnings: 0 },
  ...{ warnings: [], age: [] },
  secrets: { count: 0, last_use: [], never_used: 0, expiring: [] },
};

export const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: async ({ signal }) => fetchBody<Stats>({ path: '/clients/stats', signal }),
});
