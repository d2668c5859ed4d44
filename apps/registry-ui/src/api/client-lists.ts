import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { ClientDocument } from '@svc/client-metadata';
import type { ClientPage } from './client-documents.js';

type Pages = InfiniteData<ClientPage, string | undefined>;

/** All lists of Clients. */
export const LISTS = { queryKey: ['clients'] } as const;

/** Forgets all but the first page of each list that has become stale: coming back to it asks once, not once a page. */
export function trimStaleLists(queries: QueryClient): void {
  for (const query of queries.getQueryCache().findAll(LISTS)) {
    if (query.state.isInvalidated) trim(queries, query.queryKey);
  }
}

/**
 * Has all lists begin anew from their first page, less the Clients that are gone: the one in sight at once, the others
 * when they are come back to.
 */
export function renewLists(queries: QueryClient, gone: readonly string[]): void {
  for (const { queryKey } of queries.getQueryCache().findAll(LISTS)) trim(queries, queryKey, new Set(gone));
  void queries.invalidateQueries(LISTS);
}

/**
 * Changes rows where they stand, in all lists: nobody loses their place. Lists that are out of sight are asked for when
 * they are come back to.
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
    // As old as can be: it is still to be asked for.
    { updatedAt: 1 },
  );
}
