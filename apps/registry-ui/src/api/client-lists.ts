import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { ClientDocument, ClientPage } from './client-documents.js';

type Pages = InfiniteData<ClientPage, string | undefined>;

export const LISTS = { queryKey: ['clients'] } as const;

/** Drops all but the first page of each stale list, so that returning to it sends one request. */
export function trimStaleLists(queries: QueryClient): void {
  for (const query of queries.getQueryCache().findAll(LISTS)) {
    if (query.state.isInvalidated) trim(queries, query.queryKey);
  }
}

/**
 * Restarts all lists from their first page, without the deleted clients: the visible one immediately, the others when
 * they are shown.
 */
export function renewLists(queries: QueryClient, gone: readonly string[]): void {
  for (const { queryKey } of queries.getQueryCache().findAll(LISTS)) trim(queries, queryKey, new Set(gone));
  void queries.invalidateQueries(LISTS);
}

/**
 * Updates rows in place in all lists, so that the user's position is kept. Hidden lists are refetched when they are
 * shown.
 */
export function patchLists(
  queries: QueryClient,
  clientIds: readonly string[],
  patch: Partial<ClientDocument>,
): void {
  const changed = new Set(clientIds);
  queries.setQueriesData<Pages>(LISTS, (data) => {
    if (!data) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      clients: page.clients.map((client) =>
        changed.has(client.client_id) ? { ...client, ...patch } : client,
      ),
    }));
    return { ...data, pages };
  });
  void queries.invalidateQueries({ ...LISTS, type: 'inactive', refetchType: 'none' });
}

function trim(
  queries: QueryClient,
  queryKey: readonly unknown[],
  gone: ReadonlySet<string> = new Set(),
): void {
  queries.setQueryData<Pages>(
    queryKey,
    (data) => {
      if (!data) return data;
      const pages = data.pages.slice(0, 1).map((page) => ({
        ...page,
        clients: page.clients.filter(({ client_id }) => !gone.has(client_id)),
      }));
      return { pages, pageParams: data.pageParams.slice(0, 1) };
    },
    // Stale from the start: it must be refetched.
    { updatedAt: 1 },
  );
}
