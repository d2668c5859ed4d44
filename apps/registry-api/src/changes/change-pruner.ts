import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError } from '../database/database-errors.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { RetentionPolicy } from '../settings/registry-settings.js';

/** Per statement, so that none takes long. */
const BATCH = 2_000;

/** Between runs; spread, so that replicas take turns. */
const EVERY_MS = { least: 30 * 60_000, spread: 30 * 60_000 };

/**
 * `$1` the time from which changes are kept `$2` limit. Deletes the oldest changes up to the first that is young enough,
 * so that the rest has no gap; the very last one stays, so that its position stays known. After a restore, remaining changes may lie below `pruned_to`. The lock on its row lets one
 * replica work at a time; the others do nothing.
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
export class ChangePruner implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ChangePruner.name);
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: RetentionPolicy,
    private readonly metrics: RegistryMetrics,
  ) {}

  onModuleInit(): void {
    const waitMs = EVERY_MS.least + Math.random() * EVERY_MS.spread;
    this.timer = setInterval(() => void this.pruneAndLog(), waitMs);
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    clearInterval(this.timer);
  }

  /** @returns how many changes it deleted */
  async prune(now = new Date()): Promise<number> {
    let total = 0;
    for (let removed = BATCH; removed === BATCH && !this.isClosed; total += removed) {
      const [row] = await PRUNE.run(this.dataSource, [this.policy.keptFrom(now), BATCH]);
      removed = row?.removed ?? 0;
      this.metrics.countPruned(removed);
    }
    return total;
  }

  private async pruneAndLog(): Promise<void> {
    try {
      const removed = await this.prune();
      if (removed > 0) this.logger.log(`deleted ${removed} old changes`);
    } catch (error) {
      // The next run deletes what this one did not.
      if (!isConnectionError(error)) this.logger.error(`cannot delete old changes: ${String(error)}`);
    }
  }
}
