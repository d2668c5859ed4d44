import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fetchBody } from '../api/request.js';
import { Confirmation } from '../elements/confirmation.js';
import { text } from '../texts/text.js';
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
  const purge = useMutation({
    mutationFn: async (clientId: string) =>
      fetchBody({
        method: 'DELETE',
        path: '/deleted-clients/{client_id}',
        params: { client_id: clientId },
        headers: { 'if-match': '*' },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: deletedClientsQuery.queryKey });
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
      onConfirm={() => deleted && purge.mutate(deleted.client_id)}
      onClose={close}
    >
      {text('deleted.purge.what')}
    </Confirmation>
  );
}
