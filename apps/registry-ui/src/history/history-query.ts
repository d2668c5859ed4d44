import { infiniteQueryOptions } from '@tanstack/react-query';
import { askBody, clientPath } from '../api/request.js';
import type { HistoryEntryDocument } from './history-entry.js';

const PAGE_SIZE = 30;

/** One page of `GET /client/{client_id}/history`. */
interface HistoryPage {
  readonly changes: readonly HistoryEntryDocument[];
  readonly next?: number;
}

/** What became of a Client, also of a deleted one, the latest first. */
export const historyQuery = (clientId: string) =>
  infiniteQueryOptions({
    queryKey: ['history', clientId],
    queryFn: async ({ pageParam, signal }) =>
      askBody<HistoryPage>({
        path: clientPath(clientId, 'history'),
        query: { limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next,
  });
