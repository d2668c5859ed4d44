import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ClientStore } from '../clients/client.store.js';
import { SELECT_CLIENT, type StoredClient } from '../clients/stored-client.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { registryActor } from '../http/registry-actor.js';
import { RegistrationPolicy } from '../settings/registry-settings.js';

const DAY_MS = 24 * 3_600_000;

/** Clients per transaction. */
const BATCH = 100;

const ACTOR = registryActor('approval deadline');

/** Clients that were restored, or whose approval was undone, have the same time again. `$1` awaiting approval since before `$2` limit */
const NOT_APPROVED = new PreparedStatement<StoredClient>(
  'clients_not_approved',
  `${SELECT_CLIENT} WHERE c.pending AND c.created_at < $1 AND (c.pending_since IS NULL OR c.pending_since < $1)
   ORDER BY c.created_at, c.client_id LIMIT $2`,
  'current',
);

/**
 * Deletes Clients that no administrator has enabled within the configured time. A change takes effect only on the state that was
 * read, so one that is approved at the same moment stays.
 */
@Injectable()
export class PendingDeletions extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ClientStore,
    private readonly policy: RegistrationPolicy,
  ) {
    super('delete clients that were not approved', { everyMs: 30 * 60_000 });
  }

  protected override async run(now: Date): Promise<string | undefined> {
    const deleted = await this.delete(now);
    return deleted === 0 ? undefined : `deleted ${deleted} clients that were not approved in time`;
  }

  /** @returns how many were deleted */
  async delete(now = new Date()): Promise<number> {
    const before = new Date(now.getTime() - this.policy.pendingDays * DAY_MS);
    let deleted = 0;
    await this.inBatches(BATCH, async () => {
      const clients = await NOT_APPROVED.run(this.dataSource, [before, BATCH]);
      const [first, ...others] = clients.map(
        (client) => ({ kind: 'deleted', before: client, because: 'not_approved' }) as const,
      );
      if (first) deleted += (await this.store.apply([first, ...others], now, ACTOR)).size;
      return clients.length;
    });
    return deleted;
  }
}
