import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ChangeSignal } from '../clients/change-signal.js';
import { CHANGED, history, NEXT, type StoredChange } from '../clients/change-statements.js';
import { USES_SECRETS } from '../clients/list/filter-conditions.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { registryActor } from '../http/registry-actor.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { RegistrySettings } from '../settings/registry-settings.js';

/** Per statement, so that none takes long. */
const BATCH = 500;

/** The start has more urgent work. */
const SCHEDULE = { everyMs: 5 * 60_000, firstAfterMs: 60_000 };

const ACTOR = registryActor('registry');

/**
 * Secrets `s` of Clients `c` that expire soon: `$1` the end of the notice period `$2` now. Only the newest secret of a Client
 * counts, because an older one ends by rotation, as intended; a short-lived one counts in the last third of its life.
 */
const EXPIRES_SOON = `s.expires_at > $2 AND s.expires_at <= $1
  AND s.expires_at - (s.expires_at - s.created_at) / 3 <= $2
  AND c.${USES_SECRETS}
  AND NOT EXISTS (SELECT FROM client_secret n WHERE n.client_id = s.client_id AND n.id > s.id)`;

/** `$3` to `$5` the actor `$6` limit. Clients are locked first, as by every change of a Client. */
const ANNOUNCE = new PreparedStatement<StoredChange>(
  'secrets_announce',
  `WITH due AS MATERIALIZED (
     SELECT s.id, client_id FROM client_secret s JOIN client c USING (client_id)
     WHERE ${EXPIRES_SOON} AND s.announced_at IS NULL
     ORDER BY s.expires_at LIMIT $6
     FOR UPDATE OF c SKIP LOCKED
   ), announced AS (
     UPDATE client_secret s SET announced_at = $2 FROM due
     WHERE s.id = due.id AND s.announced_at IS NULL
     RETURNING s.client_id
   ), changed AS (
     UPDATE client c SET ${NEXT} FROM announced WHERE c.client_id = announced.client_id
     RETURNING c.client_id, c.seq, c.mark, c.labels
   ), ${history('secret_expiring', 'changed', 'none')}
   ${CHANGED}`,
);

const COUNT = new PreparedStatement<{ expiring: number }>(
  'secrets_expiring',
  `SELECT count(*)::int AS expiring FROM client_secret s JOIN client c USING (client_id)
   WHERE ${EXPIRES_SOON}`,
);

/** Announces client secrets that expire soon, each once, as a change of their Client. */
@Injectable()
export class SecretNotices extends ScheduledWork {
  private expiring = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: RegistrySettings,
    private readonly metrics: RegistryMetrics,
    private readonly signal: ChangeSignal,
  ) {
    super('announce expiring client secrets', SCHEDULE);
  }

  override onModuleInit(): void {
    if (this.settings.secrets.noticeDays === 0) return;
    this.metrics.watch(
      'client_secrets_expiring',
      'Clients whose newest secret expires soon (SECRET_NOTICE_DAYS), as of the last count.',
      () => this.expiring,
    );
    super.onModuleInit();
  }

  /** @returns how many secrets it announced */
  async announce(now: Date): Promise<number> {
    const until = this.settings.secrets.announcedUntil(now);
    const total = await this.inBatches(BATCH, async () => {
      const parameters = [until, now, ACTOR.id, ACTOR.name, ACTOR.address, BATCH];
      const announced = (await ANNOUNCE.run(this.dataSource, parameters)).length;
      if (announced > 0) this.signal.announce();
      this.metrics.countChanges('secret_expiring', announced);
      return announced;
    });
    const [row] = await COUNT.run(this.dataSource, [until, now]);
    this.expiring = row?.expiring ?? 0;
    return total;
  }

  protected async run(now: Date): Promise<string | undefined> {
    const announced = await this.announce(now);
    return announced > 0 ? `announced ${announced} client secrets that expire soon` : undefined;
  }
}
