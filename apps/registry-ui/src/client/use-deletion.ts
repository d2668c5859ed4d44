import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.js';
import { clientQuery } from '../api/client-queries.js';
import type { TaggedClient } from '../api/client-documents.js';
import { askBody, clientPath } from '../api/request.js';
import { text } from '../texts/text.js';

/**
 * Deletes a Client as it is known here. One that somebody changed meanwhile is not deleted: it is asked for again.
 *
 * @param onChanged called before its present state takes the place of `client`
 */
export function useDeletion({ client, etag }: TaggedClient, onChanged: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { client_id: clientId } = client;
  return useMutation({
    /** @returns whether it is deleted */
    mutationFn: async (): Promise<boolean> => {
      const headers = etag === undefined ? {} : { 'if-match': etag };
      try {
        await askBody({ method: 'DELETE', path: clientPath(clientId), headers });
        return true;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412) throw error;
        await queries.fetchQuery({ ...clientQuery(clientId), staleTime: 0 });
        return false;
      }
    },
    onSuccess: async (deleted) => {
      if (!deleted) return onChanged();
      await navigate({ to: '/clients' });
      queries.removeQueries({ queryKey: ['client', clientId] });
      void queries.invalidateQueries({ queryKey: ['clients'] });
      notifications.show({ message: text('client.deleted', { name: client.client_name }) });
    },
  });
}
