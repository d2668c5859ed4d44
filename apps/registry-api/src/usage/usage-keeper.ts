import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ScheduledWork } from '../database/scheduled-work.js';
import { inTransaction } from '../database/transaction.js';
import { UsagePolicy } from '../settings/registry-settings.js';
import { forgetReporting } from './usage-completeness.js';
import { FOLD_DAYS, FORGET_USES, TRIM_MONTHS } from './usage-statements.js';

/** Per statement, so that none takes long. */
const BATCH = 2_000;

const EVERY_MS = 30 * 60_000;

/** Deletes counts once they reach the configured age, and adds up those of old days by month. */
@Injectable()
export class UsageKeeper extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: UsagePolicy,
  ) {
    super('clean up usage counts', { everyMs: EVERY_MS });
  }

  async keep(now: Date): Promise<void> {
    const keptFrom = this.policy.keptFrom(now);
    await this.inBatches(BATCH, async () => {
      const [row] = await FORGET_USES.run(this.dataSource, [keptFrom, BATCH]);
      return row?.removed ?? 0;
    });
    await this.inBatches(1, async () => this.fold(this.policy.daysFrom(now)));
    await forgetReporting(this.dataSource, now, keptFrom);
  }

  protected async run(now: Date): Promise<undefined> {
    await this.keep(now);
  }

  /** @returns the number of months to which it moved counts of days */
  private async fold(before: string): Promise<number> {
    return inTransaction(this.dataSource, async (transaction) => {
      const months = await FOLD_DAYS.run(transaction, [before, BATCH]);
      if (months.length === 0) return 0;
      const columns = [months.map(({ clientId }) => clientId), months.map(({ period }) => period)];
      await TRIM_MONTHS.run(transaction, columns);
      return months.length;
    });
  }
}
