import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError } from '../database/database-errors.js';
import { inTransaction } from '../database/transaction.js';
import { TokenEvents } from './token-events.js';
import { TAKE_EXPIRED } from './tokens.repository.js';

/** Between runs; spread, so that replicas take turns. */
const EVERY_MS = { least: 30_000, spread: 30_000 };

/** Puts on record which API tokens have expired. */
@Injectable()
export class TokenExpiries implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(TokenExpiries.name);
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly events: TokenEvents,
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
      if (!isConnectionError(error)) this.logger.error(`cannot record expired tokens: ${String(error)}`);
    }
  }
}
