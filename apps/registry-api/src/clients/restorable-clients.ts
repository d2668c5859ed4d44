import { PreparedStatement } from '../database/prepared-statement.js';
import { positionIn } from './change-position.js';
import type { StoredClient } from './stored-client.js';

/**
 * Condition on `deleted_client d`. A former version leaves the row when it re-registers the id, perhaps for another team, and
 * may have deleted that Client, too.
 *
 * @param keptFrom SQL: the time from which deletions are kept
 */
export function restorableSince(keptFrom: string): string {
  return `d.deleted_at > ${keptFrom} AND NOT EXISTS (SELECT FROM client c WHERE c.client_id = d.client_id)
    AND NOT EXISTS (SELECT FROM client_change ch WHERE ch.client_id = d.client_id AND ch.seq > d.seq)`;
}

/** A deleted Client that can be restored; its revision is the deletion's. */
export type RestorableClient = Pick<StoredClient, 'clientId' | 'metadata' | 'revision'>;

/** `$1` client_ids `$2` the time from which deletions are kept */
export const FIND_RESTORABLE = new PreparedStatement<RestorableClient>(
  'clients_find_restorable',
  `SELECT d.client_id AS "clientId", d.metadata, ${positionIn('d')} AS revision
   FROM deleted_client d WHERE d.client_id = ANY ($1::text[]) AND ${restorableSince('$2')}`,
  'current',
);
