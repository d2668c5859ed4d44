import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateClients } from '../api/changed-clients.js';
import { clientQuery } from '../api/client-queries.js';
import type { ClientDocument } from '@svc/client-metadata';
import type { TaggedClient } from '../api/client-documents.js';
import { ask, clientPath } from '../api/request.js';
import { showFailure } from '../elements/show-failure.js';
import { showUndoable } from '../elements/undoable.js';
import { text } from '../texts/text.js';

/** Enables or disables a Client: shown at once, since it can be undone, and taken back when the registry refuses. */
export function useEnabling(client: ClientDocument) {
  const queries = useQueryClient();
  const { client_id: clientId, client_name: name } = client;
  const { queryKey } = clientQuery(clientId);
  const enabling = useMutation({
    mutationFn: async (enabled: boolean) =>
      ask<ClientDocument>({ method: 'POST', path: clientPath(clientId, enabled ? 'enable' : 'disable') }),
    onMutate: async (enabled) => {
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData<TaggedClient>(queryKey);
      if (before) queries.setQueryData(queryKey, { ...before, client: { ...before.client, enabled } });
      return before;
    },
    onError: (error, _enabled, before) => {
      queries.setQueryData(queryKey, before);
      showFailure(error);
    },
    onSuccess: ({ body, etag }, enabled) => {
      queries.setQueryData(queryKey, { client: body, etag } satisfies TaggedClient);
      invalidateClients(queries);
      showUndoable(text(enabled ? 'client.isEnabled' : 'client.isDisabled', { name }), () =>
        enabling.mutate(!enabled),
      );
    },
  });
  return enabling;
}
