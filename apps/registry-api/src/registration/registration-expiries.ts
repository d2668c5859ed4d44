import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError } from '../database/database-errors.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { inTransaction } from '../database/transaction.js';
import { type ExpiredRegistration, RegistrationEvents } from './registration-events.js';

/** Between runs; spread, so that replicas take turns. */
const EVERY_MS = { least: 30_000, spread: 30_000 };

/** Marks up to 100 Clients whose registration access tokens had all expired by `$1`, and returns them. */
const TAKE_EXPIRED = new PreparedStatement<ExpiredRegistration>(
  'registration_tokens_take_expired',
  `UPDATE client_registration r SET recorded_expiry = r.expires_at
   FROM (
     SELECT client_id FROM client_registration d
     WHERE d.expires_at <= $1 AND d.recorded_expiry IS DISTINCT FROM d.expires_at
       AND NOT EXISTS (SELECT FROM client_registration_successor s
                       WHERE s.client_id = d.client_id AND (s.expires_at > $1 OR s.expires_at IS NULL))
     ORDER BY d.expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
   ) due
   WHERE r.client_id = due.client_id
   RETURNING r.client_id AS "clientId", r.expires_at AS "expiresAt"`,
);

/** Puts on record which Clients can no longer be managed because their registration access tokens have expired. */
@Injectable()
export class RegistrationExpiries implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(RegistrationExpiries.name);
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly events: RegistrationEvents,
  ) {}

  onModuleInit(): void {
    const waitMs = EVERY_MS.least + Math.random() * EVERY_MS.spread;
    this.timer = setInterval(() => void this.recordOrLog(), waitMs);
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    clearInterval(this.timer);
  }

  /** @returns how many it found */
  async record(now = new Date()): Promise<number> {
    let total = 0;
    for (let found = -1; found !== 0 && !this.isClosed; total += found) {
      found = await inTransaction(this.dataSource, async (transaction) => {
        const expired = await TAKE_EXPIRED.run(transaction, [now]);
        this.events.expired(transaction, expired);
        return expired.length;
      });
    }
    return total;
  }

  private async recordOrLog(): Promise<void> {
    try {
      await this.record();
    } catch (error) {
      // The next run finds them.
      if (!isConnectionError(error)) {
        this.logger.error(`cannot record expired registration access tokens: ${String(error)}`);
      }
    }
  }
}
