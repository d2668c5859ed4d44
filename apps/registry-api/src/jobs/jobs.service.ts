import { Injectable } from '@nestjs/common';
import { selectsAll } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { formatPosition } from '../clients/change-position.js';
import { readHorizon } from '../clients/change-statements.js';
import { inTransaction, type Transaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';
import type { Caller } from '../http/current-caller.js';
import type { ClientJobItem, JobResultKind } from './client-job.entity.js';
import { seesJob } from './job-caller.js';
import {
  COPY_CHANGED,
  CREATE_JOB,
  END_JOB,
  JOB_BY_ID,
  LIST_ITEMS,
  LIST_JOBS,
  LOCK_ACTOR,
  MAX_OPEN_JOBS,
  type StoredJob,
} from './job-statements.js';
import { JobWorker } from './job-worker.js';
import type { NewJob } from './job.dto.js';

const JOB_ID = /^\d{1,15}$/;

/** Starts, reads, cancels and undoes jobs. */
@Injectable()
export class JobsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly worker: JobWorker,
  ) {}

  /** @throws {RegistryError} `too_many_jobs` */
  async start({ filter, dry_run: dryRun = false, ...job }: NewJob, actor: Caller): Promise<StoredJob> {
    // Of the primary, where the Clients are read.
    const since = formatPosition((await readHorizon(this.dataSource)).last);
    return this.begin(actor, async (transaction) =>
      create(
        transaction,
        { ...job, filter: filter ?? {}, dry_run: dryRun, state: 'collecting', since },
        actor,
      ),
    );
  }

  /** Puts back the former version of each Client that has not changed since. @throws {RegistryError} */
  async undo(id: string, actor: Caller): Promise<StoredJob> {
    const job = await this.find(id, actor);
    if (job.finishedAt === null) throw jobNotFinished();
    if (job.dryRun || job.changed === 0) throw jobNotUndoable();
    return this.begin(actor, async (transaction) => {
      const members = { action: 'undo', undoes: id, dry_run: false, state: 'running', since: job.since };
      const undo = await create(transaction, members, actor);
      await COPY_CHANGED.run(transaction, [undo, id]);
      return undo;
    });
  }

  /** Changes made so far are kept. A finished job is not affected. @throws {RegistryError} `job_not_found` */
  async cancel(id: string, caller: Caller): Promise<StoredJob> {
    await this.find(id, caller);
    await END_JOB.run(this.dataSource, [id, 'cancelled', null, new Date()]);
    return this.find(id, caller);
  }

  /** @throws {RegistryError} `job_not_found`, also for one that the caller does not see */
  async find(id: string, caller: Caller): Promise<StoredJob> {
    const [job] = JOB_ID.test(id) ? await JOB_BY_ID.run(this.dataSource, [id]) : [];
    if (!job || !seesJob(caller, job)) throw jobNotFound();
    return job;
  }

  /** Latest first. @param before the job before which to begin */
  async list(
    { id, issuer, selector }: Caller,
    dryRuns: boolean,
    limit: number,
    before?: number,
  ): Promise<StoredJob[]> {
    const whose = selectsAll(selector) ? [null, null, null] : [id, issuer ?? null, JSON.stringify(selector)];
    return LIST_JOBS.run(this.dataSource, [before ?? null, limit, dryRuns, ...whose]);
  }

  /** @param after the position after which to begin */
  async results(
    id: string,
    result: JobResultKind | undefined,
    limit: number,
    after = -1,
  ): Promise<ClientJobItem[]> {
    return LIST_ITEMS.run(this.dataSource, [id, after, result ?? null, limit]);
  }

  private async begin(
    actor: Caller,
    make: (transaction: Transaction) => Promise<string>,
  ): Promise<StoredJob> {
    const job = await this.find(await inTransaction(this.dataSource, make), actor);
    this.worker.runNow();
    return job;
  }
}

async function create(
  transaction: Transaction,
  members: object,
  { id, name, address, issuer, selector }: Caller,
): Promise<string> {
  const actor = { actor_id: id, actor_name: name, address, issuer, selector };
  await LOCK_ACTOR.run(transaction, [id]);
  const [row] = await CREATE_JOB.run(transaction, [
    JSON.stringify({ ...members, ...actor, created_at: new Date() }),
  ]);
  if (!row) throw tooManyJobs();
  return row.id;
}

function jobNotFound(): RegistryError {
  return new RegistryError('job_not_found', 'there is no such job');
}

function jobNotFinished(): RegistryError {
  return new RegistryError('job_not_finished', 'the job has not ended yet; cancel it first, or wait');
}

function jobNotUndoable(): RegistryError {
  return new RegistryError('job_not_undoable', 'the job changed no client, so there is nothing to undo');
}

function tooManyJobs(): RegistryError {
  const message = `this token already has ${MAX_OPEN_JOBS} jobs in progress, the most it may have; wait until one has finished`;
  return new RegistryError('too_many_jobs', message);
}
