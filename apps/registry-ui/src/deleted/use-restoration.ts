import { showToast } from '../elements/show-toast.js';
import { useQueryClient } from '@tanstack/react-query';
import { invalidateClients } from '../api/invalidate-clients.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { showFailure } from '../elements/failure.js';
import { focusTitle } from '../elements/screen.js';
import { text } from '../texts/deleted.js';
import { deletedClientsQuery, restoreClients } from './deleted-clients.js';

/** Restores deleted clients and reports how it went. */
export function useRestoration() {
  const queries = useQueryClient();
  return useSingleMutation({
    mutationFn: restoreClients,
    onSuccess: async ({ ids, failures }) => {
      for (const id of ids) void queries.invalidateQueries({ queryKey: ['client', id] });
      invalidateClients(queries);
      if (ids.length > 0) showToast({ message: text('deleted.restored', { count: ids.length }) });
      const [failure] = failures;
      if (failure) showFailure(failure, text('deleted.failed', { count: failures.length }));
      // Until the list has left them out, they cannot be restored again.
      await queries.invalidateQueries({ queryKey: deletedClientsQuery.queryKey });
      focusTitle();
    },
  });
}
