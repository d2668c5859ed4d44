import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { fetchBody } from '../api/request.js';

const PAGE_SIZE = 200;

/** Requests at the same time. */
const LANES = 4;

export const deletedClientsQuery = infiniteQueryOptions({
  queryKey: ['deleted-clients'],
  queryFn: async ({ pageParam, signal }) =>
    fetchBody({ path: '/deleted-clients', query: { limit: PAGE_SIZE, cursor: pageParam }, signal }),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: (page) => page.next,
});

/** A deleted client; null if it cannot be restored. */
export const deletedClientQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['deleted-clients', clientId],
    queryFn: async ({ signal }) =>
      fetchBody({ path: '/deleted-clients/{client_id}', params: { client_id: clientId }, signal }).catch(
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return null;
          throw error;
        },
      ),
  });

/** What became of clients that were to be restored. */
export interface Restored {
  readonly ids: readonly string[];
  readonly failures: readonly Error[];
}

/** Restores clients, a few at a time; a failure does not affect the others. */
export async function restoreClients(clientIds: readonly string[]): Promise<Restored> {
  const waiting = [...clientIds];
  const ids: string[] = [];
  const failures: Error[] = [];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await fetchBody({
          method: 'POST',
          path: '/deleted-clients/{client_id}/restore',
          params: { client_id: id },
        });
        ids.push(id);
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return { ids, failures };
}
