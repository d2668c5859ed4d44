import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError } from '../database/database-errors.js';
import { inTransaction } from '../database/transaction.js';
import { UsagePolicy } from '../settings/registry-settings.js';
import { forgetReporting } from './usage-completeness.js';
import { FOLD_DAYS, FORGET_USES, TRIM_MONTHS } from './usage-statements.js';

/** Per statement, so that none takes long. */
const BATCH = 2_000;

/** Between runs; spread, so that replicas take turns. */
const EVERY_MS = { least: 30 * 60_000, spread: 30 * 60_000 };

/** Deletes counts once they reach the configured age, and adds up those of old days by month. */
@Injectable()
export class UsageKeeper implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(UsageKeeper.name);
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: UsagePolicy,
  ) {}

  onModuleInit(): void {
    const waitMs = EVERY_MS.least + Math.random() * EVERY_MS.spread;
    this.timer = setInterval(() => void this.keepAndLog(), waitMs).unref();
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    clearInterval(this.timer);
  }

  async keep(now = new Date()): Promise<void> {
    const keptFrom = this.policy.keptFrom(now);
    await this.repeat(async () => {
      const [row] = await FORGET_USES.run(this.dataSource, [keptFrom, BATCH]);
      return (row?.removed ?? 0) === BATCH;
    });
    await this.repeat(async () => this.fold(this.policy.daysFrom(now)));
    await forgetReporting(this.dataSource, now, keptFrom);
  }

  /** @returns whether there may be more days to fold */
  private async fold(before: string): Promise<boolean> {
    return inTransaction(this.dataSource, async (transaction) => {
      const months = await FOLD_DAYS.run(transaction, [before, BATCH]);
      if (months.length === 0) return false;
      const columns = [months.map(({ clientId }) => clientId), months.map(({ period }) => period)];
      await TRIM_MONTHS.run(transaction, columns);
      return true;
    });
  }

  private async repeat(step: () => Promise<boolean>): Promise<void> {
    let isMore = true;
    while (isMore && !this.isClosed) isMore = await step();
  }

  private async keepAndLog(): Promise<void> {
    try {
      await this.keep();
    } catch (error) {
      // The next run does what this one did not.
      if (!isConnectionError(error)) this.logger.error(`cannot tidy up usage counts: ${String(error)}`);
    }
  }
}
