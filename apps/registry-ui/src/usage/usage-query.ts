import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { fetchBody } from '../api/request.js';

export type Usage = Schema<'ClientUsageReport'>;

/** How a client was used in the last days, including today. */
export function usageQuery(clientId: string, days: number) {
  return queryOptions({
    queryKey: ['usage', clientId, days],
    queryFn: ({ signal }) =>
      fetchBody({
        path: '/client/{client_id}/usage',
        params: { client_id: clientId },
        query: { days },
        signal,
      }),
  });
}
