import { queryOptions } from '@tanstack/react-query';
import type { ClientDocument } from '@svc/client-metadata';
import { fetchBody } from '../api/request.js';
import type { Change } from './change-kinds.js';

/** A change with the current client; null if it has been deleted. */
export type FeedChange = Change & { readonly client: ClientDocument | null };

/** One page of `GET /clients/changes`. */
interface ChangePage {
  readonly changes: readonly FeedChange[];
  readonly last_seq: number;
}

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
      const oldest = await fetchBody<ChangePage>({ path: '/clients/changes', query: { limit: 1 }, signal });
      const first = oldest.changes[0]?.seq;
      if (first === undefined) return { changes: [], lastSeq: oldest.last_seq };
      // Nothing is retained before the oldest change.
      const since = Math.max(oldest.last_seq - most, first);
      const page = await fetchBody<ChangePage>({
        path: '/clients/changes',
        query: { since, limit: most },
        signal,
      });
      const changes = since === first ? [...oldest.changes, ...page.changes] : page.changes;
      return { changes: changes.toReversed(), lastSeq: page.last_seq };
    },
    staleTime: 0,
  });
