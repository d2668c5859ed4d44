import { queryOptions } from '@tanstack/react-query';
import { fetchBody } from '../api/request.js';

/** How many fall into a span of time; nothing counts in two spans. */
export interface AgeGroup {
  /** At most so many days ago; absent: longer ago. */
  readonly within_days?: number;
  readonly count: number;
}

/** What `GET /clients/stats` answers with. */
export interface Stats {
  /** When it was counted. */
  readonly as_of: string;
  readonly clients: number;
  readonly enabled: number;
  readonly disabled: number;
  readonly with_warnings: number;
  /** The most frequent first. */
  readonly warnings: readonly { readonly code: string; readonly clients: number }[];
  /** By the time since their registration. */
  readonly age: readonly AgeGroup[];
  readonly secrets: {
    readonly count: number;
    /** By the time since a check found them valid. */
    readonly last_use: readonly AgeGroup[];
    readonly never_used: number;
    /** Those of a shorter span count in the longer ones, too. */
    readonly expiring: readonly { readonly within_days: number; readonly count: number }[];
  };
}

/** Those of a registry without Clients. */
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
