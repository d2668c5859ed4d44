import { queryOptions } from '@tanstack/react-query';
import type { TaggedClient } from '../api/client-documents.js';
import { fetchBody, clientPath } from '../api/request.js';
import type { Change } from '../changes/change-kinds.js';
import type { HistoryEntryDocument } from '../history/history-entry.js';

/** More changes than are made while a form is open. */
const MAX_CHANGES = 100;

/** What others did to a Client since a form was opened, the latest first. @param theirs the Client as it is by now */
export function changesSinceQuery(opened: TaggedClient, theirs: TaggedClient) {
  const { client_id: clientId } = opened.client;
  return queryOptions({
    queryKey: ['changes-since', clientId, opened.etag, theirs.etag],
    queryFn: async ({ signal }) => {
      const { changes } = await fetchBody<{ readonly changes: readonly HistoryEntryDocument[] }>({
        path: clientPath(clientId, 'history'),
        query: { limit: MAX_CHANGES },
        signal,
      });
      return changes.filter(({ seq }) => seq > sequenceOf(opened));
    },
    staleTime: Infinity,
  });
}

/** The latest of the changes that made a field different. */
export function changeOf(changes: readonly HistoryEntryDocument[], name: string): Change | undefined {
  return changes.find(({ changed }) => changed.some(({ field }) => field === name));
}

/** Who made them, each with the latest change. */
export function latestByActor(changes: readonly Change[]): readonly Change[] {
  const keyOf = ({ actor }: Change) => `${actor.id} ${actor.address}`;
  const keys = changes.map(keyOf);
  return changes.filter((change, index) => keys.indexOf(keyOf(change)) === index);
}

/** The tag of a Client's state is the number of its last change. */
function sequenceOf({ etag = '' }: TaggedClient): number {
  return Number(/\d+/.exec(etag)?.[0] ?? Number.POSITIVE_INFINITY);
}
