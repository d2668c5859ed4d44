import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateClients } from '../api/invalidate-clients.js';
import { showFailure } from '../elements/failure.js';
import { text } from '../texts/text.js';
import { restoreClients } from './deleted-clients.js';

/** Restores deleted clients and reports how it went. */
export function useRestoration() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: restoreClients,
    onSuccess: ({ ids, failures }) => {
      for (const id of ids) void queries.invalidateQueries({ queryKey: ['client', id] });
      invalidateClients(queries);
      if (ids.length > 0) notifications.show({ message: text('deleted.restored', { count: ids.length }) });
      const [failure] = failures;
      if (failure) showFailure(failure, text('deleted.failed', { count: failures.length }));
    },
  });
}
