import { showToast } from '../elements/show-toast.js';
import { infiniteQueryOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateClients } from '../api/invalidate-clients.js';
import { useIdempotencyKey } from '../api/idempotency-key.js';
import { fetchBody } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { showFailure } from '../elements/failure.js';
import { showUndoable } from '../elements/undoable.js';
import { text } from '../texts/recommendations.js';
import { type BulkAnswer, type BulkOperation, type ClientChange, toUndo } from './operations.js';

/** Clients with recommendations per page. */
const PAGE_SIZE = 50;

export const recommendationsQuery = infiniteQueryOptions({
  queryKey: ['recommendations'],
  queryFn: async ({ pageParam, signal }) =>
    fetchBody({
      path: '/clients/recommendations',
      query: { limit: PAGE_SIZE, cursor: pageParam },
      signal,
    }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next,
  refetchOnWindowFocus: false,
});

/** Without changing anything. @throws {ApiError} */
export async function preview(changes: readonly ClientChange[], signal: AbortSignal): Promise<BulkAnswer> {
  return send(operationsOf(changes), { dry_run: true, signal });
}

/** Applies changes that are still possible, and offers to undo them. @param onDone called afterwards, but not after the undo */
export function useApply(onDone: () => void) {
  const queries = useQueryClient();
  const { keyOf, forget } = useIdempotencyKey();
  const undo = useMutation({
    mutationFn: async (operations: readonly BulkOperation[]) => send(operations),
    onSuccess: (answer) => {
      renew(queries);
      showToast({ message: text('recommendations.undone', { count: answer.succeeded }) });
      reportFailed(answer);
    },
    onError: (error) => {
      renew(queries);
      showFailure(error);
    },
  });
  const apply = useSingleMutation({
    mutationFn: async (changes: readonly ClientChange[]) => {
      const operations = operationsOf(changes);
      return send(operations, { key: keyOf(operations) });
    },
    onSuccess: (answer, changes) => {
      forget();
      renew(queries);
      const operations = toUndo(changes, answer);
      const message = text('recommendations.applied', { count: operations.length });
      if (operations.length > 0) showUndoable(message, () => undo.mutate(operations));
      reportFailed(answer);
      onDone();
    },
    // Refetched once they are shown again: the recommendations stay for a retry.
    onError: () => queries.invalidateQueries({ refetchType: 'none' }),
  });
  /** After a failure, what may have been changed is refetched. The same changes are then others. */
  const reset = () => {
    if (apply.isError) renew(queries);
    forget();
    apply.reset();
  };
  return { ...apply, reset };
}

interface Sending {
  readonly dry_run?: boolean;
  readonly signal?: AbortSignal;
  readonly key?: string;
}

async function send(
  operations: readonly BulkOperation[],
  { dry_run = false, signal, key }: Sending = {},
): Promise<BulkAnswer> {
  return fetchBody({
    method: 'POST',
    path: '/clients/bulk',
    body: { atomic: false, dry_run, operations: [...operations] },
    ...(signal && { signal }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
}

function operationsOf(changes: readonly ClientChange[]): BulkOperation[] {
  return changes.map(({ operation }) => operation);
}

function renew(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ['client'] });
  invalidateClients(queries);
}

function reportFailed({ results, failed }: BulkAnswer): void {
  const [first] = results.filter(({ problem }) => problem !== undefined);
  if (first) showFailure(new Error(first.problem?.detail), text('bulk.failed', { count: failed }));
}
