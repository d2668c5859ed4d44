import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi, fetchBody } from './request.js';

/** Rows per page: more than a tall screen shows. */
const PAGE_SIZE = 100;

/** What this registry supports; constant until it restarts. */
export const featuresQuery = queryOptions({
  queryKey: ['features'],
  queryFn: ({ signal }) => fetchBody({ path: '/client/features', signal }),
  staleTime: Infinity,
});

/**
 * Clients that match a search and filters, page by page; the first page has the total. The previous rows stay visible
 * while a new search loads.
 */
export function clientsQuery(search: Readonly<Record<string, string | readonly string[]>>) {
  return infiniteQueryOptions({
    queryKey: ['clients', search],
    queryFn: ({ pageParam, signal }) =>
      fetchBody({
        path: '/client',
        query: {
          ...search,
          limit: PAGE_SIZE,
          cursor: pageParam,
          count: pageParam === undefined || undefined,
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    // A refetch requests every loaded page: don't do that on focus, nor for rows scrolled to.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchOnMount: ({ state }) => state.isInvalidated || (state.data?.pages.length ?? 0) < 2,
  });
}

export function clientQuery(clientId: string) {
  return queryOptions({
    queryKey: ['client', clientId],
    queryFn: async ({ signal }) => {
      const { body, etag } = await callApi({
        path: '/client/{client_id}',
        params: { client_id: clientId },
        signal,
      });
      return { client: body, etag };
    },
  });
}

/** A client's secrets with their last use, which the client document omits. */
export function secretsQuery(clientId: string) {
  return queryOptions({
    queryKey: ['secrets', clientId],
    queryFn: async ({ signal }) => {
      const body = await fetchBody({
        path: '/client/{client_id}/secrets',
        params: { client_id: clientId },
        signal,
      });
      return body.client_secrets;
    },
  });
}
