import { showToast } from '../elements/show-toast.js';
import { useQueryClient } from '@tanstack/react-query';
import { fetchBody } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { Confirmation } from '../elements/confirmation.js';
import { text } from '../texts/deleted.js';
import { deletedClientsQuery } from './deleted-clients.js';
import type { DeletedClient } from './deletions.js';

interface PurgeClientProps {
  /** `undefined` while closed. */
  readonly deleted: DeletedClient | undefined;
  readonly onClose: () => void;
}

/** Asks before removing a deleted client for good. */
export function PurgeClient({ deleted, onClose }: PurgeClientProps) {
  const queries = useQueryClient();
  const purge = useSingleMutation({
    mutationFn: async ({ client_id }: DeletedClient) =>
      fetchBody({
        method: 'DELETE',
        path: '/deleted-clients/{client_id}',
        params: { client_id },
        headers: { 'if-match': '*' },
      }),
    onSuccess: async (_, { client }) => {
      showToast({ message: text('deleted.purged', { name: client.client_name }) });
      // First the list, so that the focus returns to something that still exists.
      await queries.invalidateQueries({ queryKey: deletedClientsQuery.queryKey });
      onClose();
    },
  });
  const close = () => {
    purge.reset();
    onClose();
  };
  return (
    <Confirmation
      opened={deleted !== undefined}
      title={text('deleted.purge.title', { name: deleted?.client.client_name ?? '' })}
      confirmLabel={text('deleted.purge')}
      pending={purge.isPending}
      error={purge.error}
      onConfirm={() => deleted && purge.mutate(deleted)}
      onClose={close}
    >
      {text('deleted.purge.what')}
    </Confirmation>
  );
}
