import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ALL_CLIENTS } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { isConnectionError } from '../database/database-errors.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { hasErrorCode } from '../errors/registry-error.js';
import type { Caller } from '../http/current-caller.js';
import { ClientsService } from './clients.service.js';
import { expiredUris } from './temporary-uris.js';

/** Checks refuse expired URIs at once, so removing them is not urgent. */
const EVERY_MS = 10_000;

/** Clients per run. */
const BATCH = 200;

/** `$1` now `$2` limit */
const WITH_EXPIRED = new PreparedStatement<{ clientId: string }>(
  'clients_with_expired_uris',
  `SELECT client_id AS "clientId" FROM client
   WHERE temporary_uris IS NOT NULL
     AND EXISTS (SELECT FROM jsonb_array_elements(temporary_uris) AS t
                 WHERE (t->>'expires_at')::timestamptz <= $1 AND metadata->'redirect_uris' ? (t->>'redirect_uri'))
   LIMIT $2`,
  'current',
);

/** Who the history names. */
const REGISTRY: Caller = {
  id: 'registry',
  name: 'end of a redirect URI',
  address: '',
  selector: ALL_CLIENTS,
  seesActors: true,
};

/** Removes redirect URIs that have expired, each with a change that the feed and the history report. */
@Injectable()
export class ExpiredUriRemover implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ExpiredUriRemover.name);
  private timer: NodeJS.Timeout | undefined;
  private removing: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientsService,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => {
      this.removing ??= this.removeAndLog().finally(() => (this.removing = undefined));
    }, EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.removing;
  }

  /** @param now in milliseconds since 1970 */
  async remove(now = Date.now()): Promise<void> {
    const found = await WITH_EXPIRED.run(this.dataSource, [new Date(now), BATCH]);
    for (const { clientId } of found) {
      try {
        await this.clients.removeRedirectUris(
          clientId,
          (client) => expiredUris(client, now),
          REGISTRY,
          () => true,
        );
      } catch (error) {
        if (!hasErrorCode(error, 'client_not_found')) throw error;
      }
    }
  }

  private async removeAndLog(): Promise<void> {
    try {
      await this.remove();
    } catch (error) {
      // The next run removes what this one did not.
      if (!isConnectionError(error))
        this.logger.error(`cannot remove expired redirect URIs: ${String(error)}`);
    }
  }
}
