import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { inTransaction } from '../database/transaction.js';
import { type ExpiredRegistration, RegistrationEvents } from './registration-events.js';

/** Per transaction. */
const BATCH = 100;

/** Marks Clients whose registration access tokens had all expired by `$1`, up to `$2`, and returns them. */
const TAKE_EXPIRED = new PreparedStatement<ExpiredRegistration>(
  'registration_tokens_take_expired',
  `UPDATE client_registration r SET recorded_expiry = r.expires_at
   FROM (
     SELECT client_id FROM client_registration d
     WHERE d.expires_at <= $1 AND d.recorded_expiry IS DISTINCT FROM d.expires_at
       AND NOT EXISTS (SELECT FROM client_registration_successor s
                       WHERE s.client_id = d.client_id AND (s.expires_at > $1 OR s.expires_at IS NULL))
     ORDER BY d.expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
   ) due
   WHERE r.client_id = due.client_id
   RETURNING r.client_id AS "clientId", r.expires_at AS "expiresAt"`,
);

/** Records which Clients can no longer be managed because their registration access tokens have expired. */
@Injectable()
export class RegistrationExpiries extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: RegistrationEvents,
  ) {
    super('record expired registration access tokens', { everyMs: 30_000 });
  }

  protected override async run(now: Date): Promise<undefined> {
    await this.record(now);
  }

  /** @returns how many it found */
  async record(now = new Date()): Promise<number> {
    return this.inBatches(BATCH, async () =>
      inTransaction(this.dataSource, async (transaction) => {
        const expired = await TAKE_EXPIRED.run(transaction, [now, BATCH]);
        this.events.expired(transaction, expired);
        return expired.length;
      }),
    );
  }
}
