import { Injectable } from '@nestjs/common';
import { ChangePlanner } from '../clients/change-planner.js';
import { ClientStore } from '../clients/client.store.js';
import type { StoredClient } from '../clients/stored-client.js';
import type { Transaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';
import type { FieldChange } from '../history/history.dto.js';
import { metadataDifference } from '../history/history.service.js';
import type { Caller } from '../http/current-caller.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import type { ClientJobItem } from './client-job.entity.js';
import { callerOf } from './job-caller.js';
import { type JobOperation, operationOn, undoOperations } from './job-operations.js';
import { filterOf } from './job-collector.js';
import { JOB_BY_ID, type StoredJob } from './job-statements.js';

/** The operation on one Client of a job, or why there is none. */
export type PlannedItem =
  | { readonly operation: JobOperation; readonly before?: StoredClient | undefined }
  | { readonly error: unknown };

@Injectable()
export class JobPlanner {
  constructor(
    private readonly clients: ClientStore,
    private readonly planner: ChangePlanner,
    private readonly settings: RegistrySettings,
  ) {}

  /** Locks the Clients until the transaction ends. */
  async plan(
    job: StoredJob,
    items: readonly ClientJobItem[],
    transaction: Transaction,
  ): Promise<PlannedItem[]> {
    if (job.action === 'undo') {
      const operations = await undoOperations(items, await undoesApproval(job, transaction), transaction);
      return operations.map((operation) => (operation ? { operation } : { error: formerVersionGone() }));
    }
    const ids = items.map(({ clientId }) => clientId);
    const { clients } = await this.clients.lock(ids, callerOf(job), transaction);
    return items.map((item) => this.planItem(job, item, clients.get(item.clientId)));
  }

  /** What an update of a Client would change. */
  differenceOf(
    { operation, before }: Exclude<PlannedItem, { error: unknown }>,
    caller: Caller,
  ): FieldChange[] {
    if (operation.op !== 'update' || !('patch' in operation) || !before) return [];
    const change = this.planner.patch(before, operation.patch, caller);
    return change?.kind === 'updated' ? metadataDifference(before.metadata, change.metadata) : [];
  }

  private planItem(job: StoredJob, item: ClientJobItem, before: StoredClient | undefined): PlannedItem {
    if (item.revision === null) return { error: clientNotMatched() };
    try {
      return { operation: operationOn(job, item, before, this.settings.capabilities), before };
    } catch (error) {
      return { error };
    }
  }
}

/** Whether Clients that it disables awaited approval: only a job with such a filter, and undoing its undo, enables those. */
async function undoesApproval(job: StoredJob, transaction: Transaction): Promise<boolean> {
  let undone: StoredJob | undefined = job;
  while (undone?.action === 'undo') [undone] = await JOB_BY_ID.run(transaction, [undone.undoes]);
  return undone?.action === 'enable' && filterOf(undone).pending === true;
}

function clientNotMatched(): RegistryError {
  return new RegistryError('client_not_found', 'no client with this client_id matches the filter');
}

function formerVersionGone(): RegistryError {
  return new RegistryError('version_not_found', 'the previous version is no longer in the history');
}
