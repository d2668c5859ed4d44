import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.js';
import { invalidateElsewhere } from '../api/changed-clients.js';
import { renewLists } from '../api/client-lists.js';
import { clientQuery } from '../api/client-queries.js';
import type { ClientDocument } from '@svc/client-metadata';
import type { TaggedClient } from '../api/client-documents.js';
import { askBody, clientPath } from '../api/request.js';
import { text } from '../texts/text.js';

/**
 * Deletes a Client as it is known here, and leads to the list, which lacks it from the first. One that somebody changed
 * meanwhile is not deleted: it is asked for again.
 *
 * @param onOutdated called with the Client as it was known here, once its present state has taken its place
 */
export function useDeletion({ client, etag }: TaggedClient, onOutdated: (was: ClientDocument) => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { client_id: clientId } = client;
  return useMutation({
    /** @returns the Client as it was known here when it has changed since; nothing once it is deleted */
    mutationFn: async (): Promise<ClientDocument | undefined> => {
      const headers = etag === undefined ? {} : { 'if-match': etag };
      try {
        await askBody({ method: 'DELETE', path: clientPath(clientId), headers });
      } catch (error) {
        // Somebody else was faster: it is gone, as was asked for.
        if (hasStatus(error, 404)) return undefined;
        if (!hasStatus(error, 412)) throw error;
        await queries.fetchQuery({ ...clientQuery(clientId), staleTime: 0 });
        return client;
      }
      return undefined;
    },
    onSuccess: async (outdated) => {
      if (outdated) return onOutdated(outdated);
      renewLists(queries, [clientId]);
      invalidateElsewhere(queries);
      notifications.show({ message: text('client.deleted', { name: client.client_name }) });
      await navigate({ to: '/clients' });
      // Not while its screen is there, which would ask for it again.
      queries.removeQueries({ queryKey: ['client', clientId] });
    },
  });
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}
