import { queryOptions } from '@tanstack/react-query';
import type { TaggedClient } from '../api/client-documents.js';
import { fetchBody } from '../api/request.js';
import type { Change } from '../changes/change-kinds.js';
import type { HistoryEntryDocument } from '../history/history-entry.js';

/** More changes than are made while a form is open. */
const MAX_CHANGES = 100;

/** Changes made since the form was opened, latest first. @param theirs the current state of the client */
export function changesSinceQuery(opened: TaggedClient, theirs: TaggedClient) {
  const { client_id: clientId } = opened.client;
  return queryOptions({
    queryKey: ['changes-since', clientId, opened.etag, theirs.etag],
    queryFn: async ({ signal }) => {
      const { changes } = await fetchBody({
        path: '/client/{client_id}/history',
        params: { client_id: clientId },
        query: { limit: MAX_CHANGES },
        signal,
      });
      return changes.filter(({ seq }) => seq > sequenceOf(opened));
    },
    staleTime: Infinity,
  });
}

/** The latest change of a field. */
export function changeOf(changes: readonly HistoryEntryDocument[], name: string): Change | undefined {
  return changes.find(({ changed }) => changed.some(({ field }) => field === name));
}

/** The latest change of each actor. */
export function latestByActor(changes: readonly Change[]): readonly Change[] {
  const keyOf = ({ actor }: Change) => `${actor.id} ${actor.address}`;
  const keys = changes.map(keyOf);
  return changes.filter((change, index) => keys.indexOf(keyOf(change)) === index);
}

/** The ETag of a client is the number of its last change. */
function sequenceOf({ etag = '' }: TaggedClient): number {
  return Number(/\d+/.exec(etag)?.[0] ?? Number.POSITIVE_INFINITY);
}
