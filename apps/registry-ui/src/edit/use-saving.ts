import { showToast } from '../elements/show-toast.js';
import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { invalidateClients } from '../api/invalidate-clients.js';
import { clientQuery } from '../api/client-queries.js';
import type { TaggedClient } from '../api/client-documents.js';
import { callApi } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { text } from '../texts/edit.js';

interface Saved {
  /** A JSON merge patch. */
  readonly patch: Readonly<Record<string, unknown>>;
  /** The state that the patch was derived from; a newer one is not overwritten. */
  readonly etag: string | undefined;
}

interface Saving {
  readonly onSaved?: (saved: TaggedClient) => void;
  readonly onError: (error: Error) => void;
}

/** Saves changed members of a client; `finish` does the same with a client that turns out to be saved already. */
export function useSaving(clientId: string, { onSaved, onError }: Saving) {
  const queries = useQueryClient();
  const finish = (saved: TaggedClient) => {
    queries.setQueryData(clientQuery(clientId).queryKey, saved);
    invalidateClients(queries);
    showToast({ message: text('edit.saved', { name: saved.client.client_name }) });
    onSaved?.(saved);
  };
  const saving = useSingleMutation({
    mutationFn: ({ patch, etag }: Saved) =>
      callApi({
        method: 'PATCH',
        path: '/client/{client_id}',
        params: { client_id: clientId },
        // Assembled from the fields that the registry has listed.
        body: patch as Schema<'ClientPatch'>,
        headers: {
          'content-type': 'application/merge-patch+json',
          ...(etag !== undefined && { 'if-match': etag }),
        },
      }),
    onSuccess: ({ body: client, etag }) => finish({ client, etag }),
    onError,
  });
  return { ...saving, finish };
}
