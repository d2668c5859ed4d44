import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { fetchBody } from '../api/request.js';

export type AgeGroup = Schema<'AgeGroup'>;

export type Stats = Schema<'ClientStats'>;

/** Statistics of an empty registry. */
export const NO_STATS: Stats = {
  as_of: '',
  ...{ clients: 0, enabled: 0, disabled: 0, pending: 0, with_warnings: 0 },
  ...{ warnings: [], labels: [], managers: [], age: [] },
  secrets: { count: 0, last_use: [], never_used: 0, imported_hashes: 0, expiring: [] },
  usage: { last_use: [], never_used: 0, refused: 0 },
};

export const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: async ({ signal }) => fetchBody({ path: '/clients/stats', signal }),
});
