import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { fetchBody } from '../api/request.js';

/** A change with the current client; null if it has been deleted. */
export type FeedChange = Schema<'FeedChange'>;

/** The latest changes, and where to continue. */
export interface RecentChanges {
  /** Latest first. */
  readonly changes: readonly FeedChange[];
  readonly lastSeq: number;
}

/**
 * The latest changes. The feed lists the oldest first, so its end is requested by number; numbers have gaps, so fewer
 * changes than requested may come.
 */
export const recentChangesQuery = (most: number) =>
  queryOptions({
    queryKey: ['recent-changes', most],
    queryFn: async ({ signal }): Promise<RecentChanges> => {
      const oldest = await fetchBody<Schema<'ChangeList'>>({
        path: '/clients/changes',
        query: { limit: 1 },
        signal,
      });
      const first = oldest.changes[0]?.seq;
      if (first === undefined) return { changes: [], lastSeq: oldest.last_seq };
      // Nothing is retained before the oldest change.
      const since = Math.max(oldest.last_seq - most, first);
      const page = await fetchBody<Schema<'ChangeList'>>({
        path: '/clients/changes',
        query: { since, limit: most },
        signal,
      });
      const changes = since === first ? [...oldest.changes, ...page.changes] : page.changes;
      return { changes: changes.toReversed(), lastSeq: page.last_seq };
    },
    staleTime: 0,
  });
