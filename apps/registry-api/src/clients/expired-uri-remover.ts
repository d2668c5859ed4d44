import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError } from '../database/database-errors.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { SemaphoreTimeoutError } from '../database/semaphore.js';
import { hasErrorCode } from '../errors/registry-error.js';
import { registryActor } from '../http/registry-actor.js';
import { ClientsService } from './clients.service.js';

/** Checks refuse expired URIs at once, so removing them is not urgent. */
const EVERY_MS = 5_000;

/** Clients per query. */
const BATCH = 200;

/** `$1` now `$2` limit `$3` client_id after which to begin */
const WITH_EXPIRED = new PreparedStatement<{ clientId: string }>(
  'clients_with_expired_uris',
  `SELECT client_id AS "clientId" FROM client
   WHERE temporary_uris IS NOT NULL AND client_id > $3
     AND EXISTS (SELECT FROM jsonb_array_elements(temporary_uris) AS t
                 WHERE (t->>'expires_at')::timestamptz <= $1 AND metadata->'redirect_uris' ? (t->>'redirect_uri'))
   ORDER BY client_id LIMIT $2`,
  'current',
);

const ACTOR = registryActor('redirect URI expiry');

/** Removes redirect URIs that have expired, each with a change that the feed and the history report. */
@Injectable()
export class ExpiredUriRemover extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientsService,
  ) {
    super('remove expired redirect URIs', { everyMs: EVERY_MS });
  }

  /**
   * One Client that cannot be changed does not stop the others.
   *
   * @throws the first such failure once the others are done, or that the database cannot be used
   */
  async remove(now: Date): Promise<void> {
    const failures: unknown[] = [];
    let last = '';
    await this.inBatches(BATCH, async () => {
      const found = await WITH_EXPIRED.run(this.dataSource, [now, BATCH, last]);
      for (const { clientId } of found) {
        last = clientId;
        await this.removeFrom(clientId, now).catch((error: unknown) => {
          if (isConnectionError(error) || error instanceof SemaphoreTimeoutError) throw error;
          failures.push(error);
        });
      }
      return found.length;
    });
    if (failures.length > 0) throw failures[0];
  }

  private async removeFrom(clientId: string, now: Date): Promise<void> {
    try {
      await this.clients.removeExpiredUris(clientId, now, ACTOR);
    } catch (error) {
      if (!hasErrorCode(error, 'client_not_found')) throw error;
    }
  }

  protected async run(now: Date): Promise<undefined> {
    await this.remove(now);
  }
}
