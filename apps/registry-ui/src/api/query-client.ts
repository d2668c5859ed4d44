import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

const MAX_RETRIES = 2;

/** How long an answer counts as fresh: moving between screens asks nothing twice. */
const FRESH_MS = 10_000;

/** Reads are asked for again when the service was away or busy; what it refused is refused. */
function retry(failures: number, error: Error): boolean {
  return failures < MAX_RETRIES && error instanceof ApiError && [0, 429, 503].includes(error.status);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry,
      retryDelay: (failures) => 500 * 2 ** failures,
      staleTime: FRESH_MS,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
