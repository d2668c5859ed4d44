import { type Query, QueryClient } from '@tanstack/react-query';
import { hasWaited, isRetried, waitBeforeRetry } from './retries.js';

/** How long an answer counts as fresh: moving between screens asks nothing twice. */
const FRESH_MS = 10_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isRetried,
      retryDelay: waitBeforeRetry,
      retryOnMount: mayAskAgain,
      refetchOnWindowFocus: mayAskAgain,
      refetchOnReconnect: mayAskAgain,
      staleTime: FRESH_MS,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

function mayAskAgain({ state }: Pick<Query, 'state'>): boolean {
  return hasWaited(state, Date.now());
}
