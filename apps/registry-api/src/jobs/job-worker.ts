import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  isConflictError,
  isConnectionError,
  isDiskFullError,
  isTimeoutError,
} from '../database/database-errors.js';
import { SemaphoreTimeoutError } from '../database/semaphore.js';
import { ScheduledWork } from '../database/scheduled-work.js';
import { JobCollector } from './job-collector.js';
import { JobRunner } from './job-runner.js';
import { COUNT_FAILURE, END_JOB, NEXT_JOB, type StoredJob } from './job-statements.js';

/** The replica that starts a job begins at once; another one continues it after this time. */
const EVERY_MS = 2_000;

/** Attempts at one step. */
const MAX_ATTEMPTS = 10;

const GAVE_UP = { error: 'server_error', detail: 'The job failed repeatedly; see the log of the registry.' };

/** Works on open jobs in turn, one step at a time. A job abandoned by another replica continues after its last step. */
@Injectable()
export class JobWorker extends ScheduledWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly collector: JobCollector,
    private readonly runner: JobRunner,
  ) {
    super('carry out jobs', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS });
  }

  protected async run(): Promise<undefined> {
    // Jobs of other replicas, which may be slow.
    const busy: string[] = [];
    await this.inBatches(1, async () => {
      const [job] = await NEXT_JOB.run(this.dataSource, [busy]);
      if (!job) return 0;
      if (!(await this.step(job))) busy.push(job.id);
      return 1;
    });
  }

  /** @returns false if another replica is working on it */
  private async step(job: StoredJob): Promise<boolean> {
    try {
      return await (job.state === 'collecting' ? this.collector.collect(job) : this.runner.step(job.id));
    } catch (error) {
      if (!isConnectionError(error)) await this.countFailure(job, !isPassing(error));
      throw error;
    }
  }

  private async countFailure({ id }: StoredJob, isAttempt: boolean): Promise<void> {
    const [row] = await COUNT_FAILURE.run(this.dataSource, [id, isAttempt]);
    if (row && row.attempts >= MAX_ATTEMPTS)
      await END_JOB.run(this.dataSource, [id, 'failed', JSON.stringify(GAVE_UP), new Date()]);
  }
}

/** Not the job's fault: a busy database, or a full disk. */
function isPassing(error: unknown): boolean {
  return (
    isConflictError(error) ||
    isTimeoutError(error) ||
    isDiskFullError(error) ||
    error instanceof SemaphoreTimeoutError
  );
}
