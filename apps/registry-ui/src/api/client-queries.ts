import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ask, askBody, clientPath } from './request.js';
import type { ClientDocument, ClientPage, Features } from './client-documents.js';

/** Rows fetched at once: more than a tall screen shows. */
const PAGE_SIZE = 100;

/** What this registry supports: the same until it is started anew. */
export const featuresQuery = queryOptions({
  queryKey: ['features'],
  queryFn: ({ signal }) => askBody<Features>({ path: '/client/features', signal }),
  staleTime: Infinity,
});

/** All Clients, page by page. */
export const clientsQuery = infiniteQueryOptions({
  queryKey: ['clients'],
  queryFn: ({ pageParam, signal }) =>
    askBody<ClientPage>({ path: '/client', query: { limit: PAGE_SIZE, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next,
});

/** One Client and the tag of its state. */
export function clientQuery(clientId: string) {
  return queryOptions({
    queryKey: ['client', clientId],
    queryFn: async ({ signal }) => {
      const { body, etag } = await ask<ClientDocument>({ path: clientPath(clientId), signal });
      return { client: body, etag };
    },
  });
}
