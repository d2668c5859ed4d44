import { Injectable } from '@nestjs/common';
import { selects } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { purgeEvent } from '../clients/change-events.js';
import { positionIn } from '../clients/change-position.js';
import { deletedClientNotFound } from '../clients/client.errors.js';
import { isClientId } from '../clients/credentials.js';
import { restorableSince } from '../clients/restorable-clients.js';
import { selectorCondition } from '../clients/selector-conditions.js';
import type { StoredClient } from '../clients/stored-client.js';
import { PreparedStatement, queryToRead } from '../database/prepared-statement.js';
import { StatementValues } from '../database/statement-values.js';
import { inTransaction, type Transaction } from '../database/transaction.js';
import type { Caller, Reach } from '../http/current-caller.js';
import { SecurityEvents } from '../security-events/security-events.js';
import { DeletedClientRetention } from '../settings/registry-settings.js';

/** A deleted Client as it would come back: disabled, pending if it was, and without secrets. */
export interface StoredDeletedClient extends StoredClient {
  /** Number of the deletion, a bigint. */
  readonly seq: string;
  readonly deletedAt: Date;
  readonly deletedBy: string;
  readonly deletedByName: string;
}

/** `$1` the time from which deletions are kept */
const SELECT_DELETED = `
  SELECT d.client_id AS "clientId", d.metadata, d.temporary_uris AS "temporaryUris", d.cookie_name AS "cookieName",
         false AS enabled, d.pending AS "isPending", NULL::timestamptz AS "unusedAt", NULL::text[] AS warnings,
         ${positionIn('d')} AS revision, d.managed_by AS "managedBy", d.registered_by AS "registeredBy", d.registered_by_name AS "registeredByName", d.created_at AS "createdAt",
         d.deleted_at AS "updatedAt", '[]'::json AS secrets, d.seq, d.deleted_at AS "deletedAt",
         d.deleted_by AS "deletedBy", d.deleted_by_name AS "deletedByName"
  FROM deleted_client d
  WHERE ${restorableSince('$1')}`;

/** `$2` client_id */
const FIND = new PreparedStatement<StoredDeletedClient>(
  'deleted_client_find',
  `${SELECT_DELETED} AND d.client_id = $2`,
  'current',
);

/** `$1` client_id `$2` revision */
const PURGE = new PreparedStatement<{ clientId: string }>(
  'deleted_client_purge',
  `DELETE FROM deleted_client d WHERE d.client_id = $1 AND ${positionIn('d')} = $2 RETURNING d.client_id AS "clientId"`,
);

/** The deleted Clients that can be restored. */
@Injectable()
export class DeletedClientStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: SecurityEvents,
    private readonly retention: DeletedClientRetention,
  ) {}

  /**
   * Those that the caller reached when they were deleted, latest first.
   *
   * @param before the number of the deletion before which to begin
   */
  async list({ id, selector }: Reach, limit: number, before?: number): Promise<StoredDeletedClient[]> {
    const values = StatementValues.of([this.keptFrom(), before ?? null, limit]);
    const reached = selectorCondition(selector, values, { clientId: 'd.client_id', labels: 'd.labels' });
    const text = `${SELECT_DELETED} AND d.seq < coalesce($2::bigint, 9223372036854775807) AND ${reached}
      ORDER BY d.seq DESC LIMIT $3`;
    return queryToRead(this.dataSource, 'deleted_clients', text, values.list, id);
  }

  /** @throws {RegistryError} `client_not_found` */
  async find(
    clientId: string,
    { selector }: Reach,
    on: DataSource | Transaction = this.dataSource,
  ): Promise<StoredDeletedClient> {
    const [found] = isClientId(clientId) ? await FIND.run(on, [this.keptFrom(), clientId]) : [];
    if (!found || !selects(selector, found)) throw deletedClientNotFound(clientId);
    return found;
  }

  /** Removes a Client for good, with a security event. @returns false if it was restored, purged or re-registered meanwhile */
  async purge(deleted: StoredDeletedClient, caller: Caller): Promise<boolean> {
    return inTransaction(this.dataSource, async (transaction) => {
      const purged = await PURGE.run(transaction, [deleted.clientId, deleted.revision]);
      if (purged.length === 0) return false;
      this.events.add(transaction, purgeEvent(deleted, caller));
      return true;
    });
  }

  private keptFrom(): Date {
    return this.retention.keptFrom(new Date());
  }
}
