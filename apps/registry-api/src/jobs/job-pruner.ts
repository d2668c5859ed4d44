import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ScheduledWork } from '../database/scheduled-work.js';
import { JobRetention } from '../settings/registry-settings.js';
import { PRUNE_JOB } from './job-statements.js';

const EVERY_MS = 30 * 60_000;

/** Dry runs are previews. */
const DRY_RUN_MS = 24 * 3_600_000;

/** Deletes jobs that ended long ago, with their results. */
@Injectable()
export class JobPruner extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly retention: JobRetention,
  ) {
    super('delete old jobs', { everyMs: EVERY_MS });
  }

  /** @returns how many jobs it deleted */
  async prune(now: Date): Promise<number> {
    const dryRunsFrom = new Date(now.getTime() - DRY_RUN_MS);
    const values = [this.retention.keptFrom(now), dryRunsFrom];
    return this.inBatches(1, async () => (await PRUNE_JOB.run(this.dataSource, values)).length);
  }

  protected async run(now: Date): Promise<string | undefined> {
    const removed = await this.prune(now);
    return removed > 0 ? `deleted ${removed} old jobs` : undefined;
  }
}
