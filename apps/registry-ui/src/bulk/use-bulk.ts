import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showUndoable } from '../elements/undoable.js';
import { text } from '../texts/text.js';
import { type BulkAction, type BulkAnswer, changedIn, changeMany } from './bulk.js';

interface Bulk {
  readonly action: BulkAction;
  readonly clientIds: readonly string[];
}

const OPPOSITES = { enable: 'disable', disable: 'enable' } as const;

/** Does the same to many Clients, says what came of it, and offers to undo what can be undone. */
export function useBulk(onDone: () => void) {
  const queries = useQueryClient();
  const bulk = useMutation({
    mutationFn: async ({ action, clientIds }: Bulk) => changeMany(action, clientIds),
    onSuccess: (answer, { action }) => {
      for (const queryKey of [['clients'], ['client'], ['history']])
        void queries.invalidateQueries({ queryKey });
      tell(answer, action, (clientIds) => {
        if (action !== 'delete') bulk.mutate({ action: OPPOSITES[action], clientIds });
      });
      onDone();
    },
    onError: (error, { action }) => {
      // The dialog that asks before Clients are deleted shows it itself.
      if (action === 'delete') return;
      notifications.show({ color: 'red', title: text('error.title'), message: error.message });
    },
  });
  return bulk;
}

function tell(answer: BulkAnswer, action: BulkAction, undo: (clientIds: readonly string[]) => void): void {
  const changed = changedIn(answer);
  const message = text(`bulk.${action}.done`, { count: changed.length });
  if (action === 'delete' || changed.length === 0) notifications.show({ message });
  else showUndoable(message, () => undo(changed));
  const [failed] = answer.results.filter(({ problem }) => problem !== undefined);
  if (!failed) return;
  const title = text('bulk.failed', { count: answer.failed });
  notifications.show({ color: 'red', autoClose: false, title, message: failed.problem?.detail });
}
