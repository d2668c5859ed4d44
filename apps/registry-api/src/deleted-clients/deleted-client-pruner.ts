import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError } from '../database/database-errors.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { DeletedClientRetention } from '../settings/registry-settings.js';

/** Per statement, so that none takes long. */
const BATCH = 2_000;

/** Between runs; spread, so that replicas take turns. */
const EVERY_MS = { least: 30 * 60_000, spread: 30 * 60_000 };

/** `$1` the time from which deletions are kept `$2` limit. Skips what a restoration holds. */
const PRUNE = new PreparedStatement<{ removed: number }>(
  'deleted_clients_prune',
  `WITH old AS (
     SELECT client_id FROM deleted_client WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED
   ), removed AS (
     DELETE FROM deleted_client d USING old WHERE d.client_id = old.client_id RETURNING d.client_id
   )
   SELECT count(*)::int AS removed FROM removed`,
);

/** Removes deleted Clients that can no longer be restored. */
@Injectable()
export class DeletedClientPruner implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(DeletedClientPruner.name);
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly retention: DeletedClientRetention,
  ) {}

  onModuleInit(): void {
    const waitMs = EVERY_MS.least + Math.random() * EVERY_MS.spread;
    this.timer = setInterval(() => void this.pruneAndLog(), waitMs);
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    clearInterval(this.timer);
  }

  /** @returns how many it removed */
  async prune(now = new Date()): Promise<number> {
    let total = 0;
    for (let removed = BATCH; removed === BATCH && !this.isClosed; total += removed) {
      const [row] = await PRUNE.run(this.dataSource, [this.retention.keptFrom(now), BATCH]);
      removed = row?.removed ?? 0;
    }
    return total;
  }

  private async pruneAndLog(): Promise<void> {
    try {
      const removed = await this.prune();
      if (removed > 0) this.logger.log(`removed ${removed} deleted clients for good`);
    } catch (error) {
      // The next run removes what this one did not.
      if (!isConnectionError(error)) this.logger.error(`cannot remove deleted clients: ${String(error)}`);
    }
  }
}
