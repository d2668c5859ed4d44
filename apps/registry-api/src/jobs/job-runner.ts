import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { refusedAs } from '../bulk/bulk-answer.js';
import type { OperationResult } from '../bulk/bulk-planner.js';
import type { BulkOperation } from '../bulk/bulk-request.js';
import { BulkService } from '../bulk/bulk.service.js';
import { inTransaction, type Transaction } from '../database/transaction.js';
import { DeletedClientsService } from '../deleted-clients/deleted-clients.service.js';
import { preconditionOf } from '../http/conditional-requests.js';
import type { Caller } from '../http/current-caller.js';
import type { ClientJobItem } from './client-job.entity.js';
import { callerOf, isStillAllowed, NOT_ALLOWED } from './job-caller.js';
import type { JobOperation } from './job-operations.js';
import { JobPlanner, type PlannedItem } from './job-planner.js';
import {
  COUNT_RESULTS,
  END_JOB,
  LOCK_RUNNING_JOB,
  NEXT_ITEMS,
  STORE_RESULTS,
  type StoredJob,
} from './job-statements.js';

/** Clients per transaction. */
const BATCH = 100;

/** Clients whose difference a dry run keeps. */
const SAMPLE = 20;

/** As `STORE_RESULTS` reads it. */
type ItemResult = Pick<ClientJobItem, 'position' | 'result'> &
  Partial<Pick<ClientJobItem, 'problem' | 'difference'>> & { readonly revision_after?: string | undefined };

/** Carries out jobs, some Clients at a time: a step changes Clients and stores their results, both or neither. */
@Injectable()
export class JobRunner {
  constructor(
    private readonly dataSource: DataSource,
    private readonly planner: JobPlanner,
    private readonly bulk: BulkService,
    private readonly deleted: DeletedClientsService,
  ) {}

  /** @returns false if another replica is working on it, or it has ended */
  async step(id: string): Promise<boolean> {
    return inTransaction(this.dataSource, async (transaction) => {
      const [job] = await LOCK_RUNNING_JOB.run(transaction, [id]);
      if (!job) return false;
      const isAllowed = await isStillAllowed(job, transaction);
      const done = isAllowed && (await this.doNext(job, transaction));
      if (!isAllowed || done)
        await END_JOB.run(transaction, [
          ...[id, isAllowed ? 'finished' : 'failed'],
          ...[isAllowed ? null : JSON.stringify(NOT_ALLOWED), new Date()],
        ]);
      return true;
    });
  }

  /** @returns whether these were the last Clients */
  private async doNext(job: StoredJob, transaction: Transaction): Promise<boolean> {
    const first = job.changed + job.unchanged + job.failed;
    const items = await NEXT_ITEMS.run(transaction, [job.id, first, BATCH]);
    if (items.length > 0) await this.store(job, await this.resultsOf(job, items, transaction), transaction);
    return first + items.length >= job.total;
  }

  private async store(
    { id }: StoredJob,
    results: readonly ItemResult[],
    transaction: Transaction,
  ): Promise<void> {
    const count = (result: ItemResult['result']) => results.filter((each) => each.result === result).length;
    await STORE_RESULTS.run(transaction, [id, JSON.stringify(results)]);
    const counts = [count('changed'), count('unchanged'), count('failed')];
    await COUNT_RESULTS.run(transaction, [id, ...counts]);
  }

  private async resultsOf(
    job: StoredJob,
    items: readonly ClientJobItem[],
    transaction: Transaction,
  ): Promise<ItemResult[]> {
    const caller = callerOf(job);
    const planned = await this.planner.plan(job, items, transaction);
    const operations = planned.flatMap((each) => ('operation' in each ? bulkOperation(each.operation) : []));
    const request = { atomic: false, dryRun: job.dryRun, operations };
    const answers = operations.length > 0 ? await this.bulk.runIn(transaction, request, caller) : [];
    const results: ItemResult[] = [];
    let sampled = job.changed;
    for (const [index, each] of planned.entries()) {
      const answer = await this.answerTo(each, answers, caller, transaction);
      const isSample = job.dryRun && isChange(answer) && (sampled += 1) <= SAMPLE;
      const difference = isSample && 'operation' in each && this.planner.differenceOf(each, caller);
      results.push({
        position: items[index]!.position,
        ...toResult(answer),
        ...(difference && { difference }),
      });
    }
    return results;
  }

  /** @param answers to the remaining bulk operations */
  private async answerTo(
    planned: PlannedItem,
    answers: OperationResult[],
    caller: Caller,
    transaction: Transaction,
  ): Promise<OperationResult> {
    if ('error' in planned) return planned;
    const { operation } = planned;
    if (operation.op !== 'restore') return answers.shift()!;
    try {
      const { client_id: clientId, if_match: ifMatch } = operation;
      const isWanted = preconditionOf({ ifMatch });
      const { revision } = await this.deleted.restore(clientId, caller, isWanted, transaction);
      return { clientId, changed: true, revision };
    } catch (error) {
      return { error };
    }
  }
}

function bulkOperation(operation: JobOperation): BulkOperation[] {
  return operation.op === 'restore' ? [] : [operation];
}

function isChange(answer: OperationResult): boolean {
  return 'changed' in answer && answer.changed;
}

/** @throws errors that are bugs, or that failed the transaction */
function toResult(answer: OperationResult): Omit<ItemResult, 'position'> {
  if ('error' in answer) {
    const { problem } = refusedAs(answer.error);
    return { result: 'failed', problem: { error: problem.error, detail: problem.detail } };
  }
  return { result: answer.changed ? 'changed' : 'unchanged', revision_after: answer.revision };
}
