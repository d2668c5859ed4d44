import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ScheduledWork } from '../database/scheduled-work.js';
import { inTransaction } from '../database/transaction.js';
import { TokenEvents } from './token-events.js';
import { TAKE_EXPIRED } from './tokens.repository.js';

const EVERY_MS = 30_000;

/** Records which API tokens have expired. */
@Injectable()
export class TokenExpiries extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: TokenEvents,
  ) {
    super('record expired tokens', { everyMs: EVERY_MS });
  }

  /** @returns how many it found */
  async record(now: Date): Promise<number> {
    return this.inBatches(1, async () =>
      inTransaction(this.dataSource, async (transaction) => {
        const expired = await TAKE_EXPIRED.run(transaction, [now]);
        this.events.expired(transaction, expired);
        return expired.length;
      }),
    );
  }

  protected async run(now: Date): Promise<undefined> {
    await this.record(now);
  }
}
