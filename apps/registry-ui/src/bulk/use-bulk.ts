import { notifications } from '@mantine/notifications';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { invalidateDependents } from '../api/invalidate-clients.js';
import { patchLists, renewLists } from '../api/client-lists.js';
import { fetchBody } from '../api/request.js';
import { showFailure } from '../elements/failure.js';
import { showUndoable } from '../elements/undoable.js';
import { text } from '../texts/text.js';

type BulkAction = 'enable' | 'disable' | 'delete';

type BulkAnswer = Schema<'BulkAnswer'>;

/** Applies one action to many clients; a failure does not affect the others. @throws {ApiError} */
async function changeMany(action: BulkAction, clientIds: readonly string[]): Promise<BulkAnswer> {
  const operations = clientIds.map((client_id) => ({ op: action, client_id }));
  return fetchBody({
    method: 'POST',
    path: '/clients/bulk',
    body: { atomic: false, operations },
  });
}

function changedIn({ results }: BulkAnswer): string[] {
  return results.filter(({ changed }) => changed === true).flatMap(({ client_id }) => client_id ?? []);
}

interface BulkRequest {
  readonly action: BulkAction;
  readonly clientIds: readonly string[];
  /** Undoes an earlier action: the current selection stays. */
  readonly undoes?: boolean;
}

const OPPOSITES = { enable: 'disable', disable: 'enable' } as const;

/**
 * Applies one action to many clients, reports the result, and offers to undo it where possible.
 *
 * @param onDone called after an action, but not after its undo
 */
export function useBulk(onDone: () => void) {
  const queries = useQueryClient();
  const bulk = useMutation({
    mutationFn: async ({ action, clientIds }: BulkRequest) => changeMany(action, clientIds),
    onSuccess: (answer, { action, undoes = false }) => {
      showInLists(queries, answer, action);
      void queries.invalidateQueries({ queryKey: ['client'] });
      invalidateDependents(queries);
      report(answer, action, (clientIds) => {
        if (action !== 'delete') bulk.mutate({ action: OPPOSITES[action], clientIds, undoes: true });
      });
      if (!undoes) onDone();
    },
    onError: (error, { action }) => {
      // The confirmation dialog shows it.
      if (action === 'delete') return;
      showFailure(error);
    },
  });
  return bulk;
}

/** The exact modification times come with the next response. */
function showInLists(queries: QueryClient, answer: BulkAnswer, action: BulkAction): void {
  if (action === 'delete') renewLists(queries, changedIn(answer));
  else {
    const patch = { enabled: action === 'enable', updated_at: new Date().toISOString() };
    patchLists(queries, changedIn(answer), patch);
  }
}

function report(answer: BulkAnswer, action: BulkAction, undo: (clientIds: readonly string[]) => void): void {
  const changed = changedIn(answer);
  const message = text(`bulk.${action}.done`, { count: changed.length });
  if (action === 'delete' || changed.length === 0) notifications.show({ message });
  else showUndoable(message, () => undo(changed));
  const [failed] = answer.results.filter(({ problem }) => problem !== undefined);
  if (!failed) return;
  showFailure(new Error(failed.problem?.detail), text('bulk.failed', { count: answer.failed }));
}
