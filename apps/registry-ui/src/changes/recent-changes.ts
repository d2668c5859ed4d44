import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { fetchBody } from '../api/request.js';

/** A change with the current client; null if it has been deleted. */
export type FeedChange = Schema<'FeedChange'>;

/** The latest changes, and where to continue. */
export interface RecentChanges {
  /** Latest first. */
  readonly changes: readonly FeedChange[];
  readonly last: string;
}

export const recentChangesQuery = (most: number) =>
  queryOptions({
    queryKey: ['recent-changes', most],
    queryFn: async ({ signal }): Promise<RecentChanges> => {
      const page = await fetchBody({ path: '/clients/changes', query: { newest: most }, signal });
      return { changes: page.changes.toReversed(), last: page.last_seq };
    },
    staleTime: 0,
  });
