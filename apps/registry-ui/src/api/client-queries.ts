import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi, fetchBody, clientPath } from './request.js';
import type { ClientDocument, SecretDocument } from '@svc/client-metadata';
import type { ClientPage, Features } from './client-documents.js';

/** Rows fetched at once: more than a tall screen shows. */
const PAGE_SIZE = 100;

/** What this registry supports: the same until it is started anew. */
export const featuresQuery = queryOptions({
  queryKey: ['features'],
  queryFn: ({ signal }) => fetchBody<Features>({ path: '/client/features', signal }),
  staleTime: Infinity,
});

/**
 * The Clients that a search, filters and an order ask for, page by page; the first page tells how many there are. While
 * another search is under way the rows of the former one stay.
 */
export function clientsQuery(search: Readonly<Record<string, string>>) {
  return infiniteQueryOptions({
    queryKey: ['clients', search],
    queryFn: ({ pageParam, signal }) =>
      fetchBody<ClientPage>({
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
    // Asking anew asks for every page that has come: not each time that the window is left, nor for rows scrolled to.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchOnMount: ({ state }) => state.isInvalidated || (state.data?.pages.length ?? 0) < 2,
  });
}

/** One Client and the tag of its state. */
export function clientQuery(clientId: string) {
  return queryOptions({
    queryKey: ['client', clientId],
    queryFn: async ({ signal }) => {
      const { body, etag } = await callApi<ClientDocument>({ path: clientPath(clientId), signal });
      return { client: body, etag };
    },
  });
}

/** The secrets of a Client with their last uses, which its own document leaves out. */
export function secretsQuery(clientId: string) {
  return queryOptions({
    queryKey: ['secrets', clientId],
    queryFn: async ({ signal }) => {
      const path = clientPath(clientId, 'secrets');
      const body = await fetchBody<{ readonly client_secrets: readonly SecretDocument[] }>({ path, signal });
      return body.client_secrets;
    },
  });
}
