import { Injectable } from '@nestjs/common';
import { isUseRecorded } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { ClientStore } from '../clients/client.store.js';
import { isUsedSince } from '../clients/last-use.js';
import type { PlannedChange } from '../clients/planned-change.js';
import { SELECT_CLIENT, type StoredClient } from '../clients/stored-client.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { registryActor } from '../http/registry-actor.js';
import { dayOf, RegistrationPolicy, RegistrySettings } from '../settings/registry-settings.js';
import { UsageCompleteness } from '../usage/usage-completeness.js';

const DAY_MS = 24 * 3_600_000;

/** Clients per transaction. */
const BATCH = 200;

const ACTOR = registryActor('unused client cleanup');

/** `$1` unused since before `$2` the last client_id of the previous batch `$3` limit */
const UNUSED = new PreparedStatement<StoredClient>(
  'unused_clients',
  `${SELECT_CLIENT}
   WHERE c.managed_by = 'developers' AND c.client_id > $2 AND c.enabled AND c.updated_at < $1 AND NOT ${isUsedSince('$1::timestamptz')}
   ORDER BY c.client_id LIMIT $3`,
  'current',
);

/** The same for Clients that were disabled as unused, and that no request has tried to use since. */
const UNUSED_AND_DISABLED = new PreparedStatement<StoredClient>(
  'unused_clients_disabled',
  `${SELECT_CLIENT}
   WHERE c.managed_by = 'developers' AND c.client_id > $2 AND NOT c.enabled AND c.unused_at < $1 AND c.updated_at < $1
     AND NOT ${isUsedSince('$1::timestamptz')}
     AND NOT EXISTS (SELECT FROM client_last_use u WHERE u.client_id = c.client_id AND u.refused_at >= $1)
   ORDER BY c.client_id LIMIT $3`,
  'current',
);

/** How many Clients a run disabled and deleted. */
export interface CleanUp {
  readonly disabled: number;
  readonly deleted: number;
}

/**
 * Disables Clients of developers that were not used for the configured number of days and, after as many days again, deletes
 * them: only if all uses would have been recorded, on all these days. A change takes effect only on the state that was read, so
 * replicas do each once.
 */
@Injectable()
export class UnusedClients extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ClientStore,
    private readonly policy: RegistrationPolicy,
    private readonly settings: RegistrySettings,
  ) {
    super('clean up unused clients', { everyMs: 30 * 60_000 });
  }

  override onModuleInit(): void {
    if (this.policy.unusedDays !== undefined) super.onModuleInit();
  }

  protected override async run(now: Date): Promise<string | undefined> {
    const { unusedDays: days } = this.policy;
    if (days === undefined) return undefined;
    const { disabled, deleted } = await this.cleanUp(days, now);
    if (disabled + deleted === 0) return undefined;
    return `disabled ${disabled} unused clients of developers, and deleted ${deleted}`;
  }

  /** @param days without use; the current one, whose uses are not all recorded yet, does not count */
  async cleanUp(days: number, now = new Date()): Promise<CleanUp> {
    const first = dayOf(new Date(now.getTime() - days * DAY_MS));
    const last = dayOf(new Date(now.getTime() - DAY_MS));
    const completeness = await UsageCompleteness.read(this.dataSource, first, now);
    const isProven = (client: StoredClient) =>
      isUseRecorded(client.metadata, this.settings.capabilities) &&
      completeness.incompleteDays(client, first, last, now).length === 0;
    const since = new Date(first);
    const run = async (unused: PreparedStatement<StoredClient>, kind: 'disabled' | 'deleted') =>
      this.eachBatch(unused, since, async (clients) =>
        this.apply(
          clients
            .filter(isProven)
            .map((before) =>
              kind === 'deleted' ? { kind, before, because: 'unused' } : { kind, before, isUnused: true },
            ),
        ),
      );
    // Deletes first: what it disables now is not due for deletion.
    const deleted = await run(UNUSED_AND_DISABLED, 'deleted');
    return { disabled: await run(UNUSED, 'disabled'), deleted };
  }

  /** @returns the sum of what `work` returns */
  private async eachBatch(
    unused: PreparedStatement<StoredClient>,
    since: Date,
    work: (clients: readonly StoredClient[]) => Promise<number>,
  ): Promise<number> {
    let total = 0;
    let after = '';
    await this.inBatches(BATCH, async () => {
      const clients = await unused.run(this.dataSource, [since, after, BATCH]);
      total += await work(clients);
      after = clients.at(-1)?.clientId ?? after;
      return clients.length;
    });
    return total;
  }

  /** @returns how many changes took effect */
  private async apply([first, ...others]: readonly PlannedChange[]): Promise<number> {
    return first ? (await this.store.apply([first, ...others], new Date(), ACTOR)).size : 0;
  }
}
