import { type Query, QueryClient } from '@tanstack/react-query';
import { mayRefetch, shouldRetry, retryDelay } from './retries.js';

/** How long a response counts as fresh, so that moving between screens sends nothing twice. */
const FRESH_MS = 10_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay: retryDelay,
      retryOnMount: isRefetchAllowed,
      refetchOnWindowFocus: isRefetchAllowed,
      refetchOnReconnect: isRefetchAllowed,
      staleTime: FRESH_MS,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

function isRefetchAllowed({ state }: Pick<Query, 'state'>): boolean {
  return mayRefetch(state, Date.now());
}
