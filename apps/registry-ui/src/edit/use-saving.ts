import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Schema } from '@svc/registry-contract';
import { invalidateClients } from '../api/invalidate-clients.js';
import { clientQuery } from '../api/client-queries.js';
import type { TaggedClient } from '../api/client-documents.js';
import { callApi } from '../api/request.js';
import { text } from '../texts/text.js';

interface Saved {
  readonly body: object;
  /** The state the body was derived from; a newer one is not overwritten. */
  readonly etag: string | undefined;
}

/** Replaces a client's metadata and returns to its page. */
export function useSaving(clientId: string, onError: (error: Error) => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ body, etag }: Saved) =>
      callApi({
        method: 'PUT',
        path: '/client/{client_id}',
        params: { client_id: clientId },
        // Assembled from the fields that the registry has listed.
        body: body as Schema<'ClientUpdate'>,
        ...(etag !== undefined && { headers: { 'if-match': etag } }),
      }),
    onSuccess: async ({ body: client, etag }) => {
      queries.setQueryData(clientQuery(clientId).queryKey, { client, etag } satisfies TaggedClient);
      invalidateClients(queries);
      notifications.show({ message: text('edit.saved', { name: client.client_name }) });
      await navigate({ to: '/clients/$clientId', params: { clientId }, ignoreBlocker: true });
    },
    onError,
  });
}
