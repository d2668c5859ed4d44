import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { RetentionPolicy } from '../settings/registry-settings.js';

/** Per statement, so that none takes long. */
const BATCH = 2_000;

const EVERY_MS = 30 * 60_000;

/**
 * `$1` the time from which changes are kept `$2` limit. Deletes the oldest changes up to the first that is young enough,
 * so that the rest has no gap; the very last one stays, so that its position stays known. After a restore, remaining
 * changes may lie below `pruned_to`. The lock on its row lets one replica work at a time; the others do nothing.
 */
const PRUNE = new PreparedStatement<{ removed: number }>(
  'change_prune',
  `WITH retention AS (
     SELECT pruned_to FROM change_retention FOR UPDATE SKIP LOCKED
   ), oldest AS (
     SELECT seq, at FROM client_change, retention ORDER BY seq LIMIT $2
   ), young AS (
     SELECT min(seq) AS seq FROM oldest WHERE at >= $1
   ), removed AS (
     DELETE FROM client_change c USING oldest o, young
     WHERE c.seq = o.seq AND (young.seq IS NULL OR o.seq < young.seq)
       AND o.seq < (SELECT max(seq) FROM client_change)
     RETURNING c.seq
   )
   UPDATE change_retention SET pruned_to = greatest(pruned_to, (SELECT max(seq) FROM removed))
   WHERE EXISTS (SELECT FROM removed)
   RETURNING (SELECT count(*) FROM removed)::int AS removed`,
);

/** Deletes changes, and with them the history, once they reach the configured age. */
@Injectable()
export class ChangePruner extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: RetentionPolicy,
    private readonly metrics: RegistryMetrics,
  ) {
    super('delete old changes', { everyMs: EVERY_MS });
  }

  /** @returns how many changes it deleted */
  async prune(now: Date): Promise<number> {
    return this.inBatches(BATCH, async () => {
      const [row] = await PRUNE.run(this.dataSource, [this.policy.keptFrom(now), BATCH]);
      const removed = row?.removed ?? 0;
      this.metrics.countPruned(removed);
      return removed;
    });
  }

  protected async run(now: Date): Promise<string | undefined> {
    const removed = await this.prune(now);
    return removed > 0 ? `deleted ${removed} old changes` : undefined;
  }
}
