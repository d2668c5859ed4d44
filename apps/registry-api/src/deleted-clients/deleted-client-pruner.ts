import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { DeletedClientRetention } from '../settings/registry-settings.js';

/** Per statement, so that none takes long. */
const BATCH = 2_000;

const EVERY_MS = 30 * 60_000;

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
export class DeletedClientPruner extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly retention: DeletedClientRetention,
  ) {
    super('remove deleted clients', { everyMs: EVERY_MS });
  }

  /** @returns how many it removed */
  async prune(now: Date): Promise<number> {
    return this.inBatches(BATCH, async () => {
      const [row] = await PRUNE.run(this.dataSource, [this.retention.keptFrom(now), BATCH]);
      return row?.removed ?? 0;
    });
  }

  protected async run(now: Date): Promise<string | undefined> {
    const removed = await this.prune(now);
    return removed > 0 ? `permanently removed ${removed} deleted clients` : undefined;
  }
}
