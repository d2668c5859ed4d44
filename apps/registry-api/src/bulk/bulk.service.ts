import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { storeInOrder } from '../clients/change-run.js';
import { clientChanged, clientExists } from '../clients/client.errors.js';
import { ClientStore } from '../clients/client.store.js';
import { PENDING } from '../clients/planned-change.js';
import type { StoredClient } from '../clients/stored-client.js';
import { inTransaction, type Transaction } from '../database/transaction.js';
import type { Actor } from '../http/current-actor.js';
import { BulkPlanner, type PlannedOperation } from './bulk-planner.js';
import type { BulkOperation, BulkRequest } from './bulk-request.js';
import { BulkRefusedError } from './bulk.errors.js';

/** What has become of an operation. */
export type OperationResult =
  | {
      readonly clientId: string;
      readonly changed: boolean;
      /** Of the Client's state afterwards, or of its deletion; absent in a dry run where it would be a new one. */
      readonly seq?: string;
      readonly secret?: string;
    }
  | { readonly error: unknown };

@Injectable()
export class BulkService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientStore,
    private readonly planner: BulkPlanner,
  ) {}

  /**
   * Carries out operations in their order, as one transaction.
   *
   * @returns a result for each operation
   * @throws {BulkRefusedError} when they are to be carried out together and one cannot be
   */
  async run(request: BulkRequest, actor: Actor): Promise<OperationResult[]> {
    return inTransaction(this.dataSource, async (transaction) => this.runIn(transaction, request, actor));
  }

  /** The same, as part of a transaction. */
  async runIn(
    transaction: Transaction,
    { atomic, dryRun, operations }: BulkRequest,
    actor: Actor,
  ): Promise<OperationResult[]> {
    const at = new Date();
    const state = await this.clients.lock(idsIn(operations), transaction);
    const planned = await this.planner.plan(operations, state, at);
    if (atomic) refuseFaults(operations, planned);
    if (dryRun) return planned.map(withoutEffect);
    const results = await this.store(planned, at, actor, transaction);
    if (atomic) refuseFaults(operations, results);
    return results;
  }

  private async store(
    planned: readonly PlannedOperation[],
    at: Date,
    actor: Actor,
    transaction: Transaction,
  ): Promise<OperationResult[]> {
    const changes = planned.flatMap((each) => ('change' in each && each.change ? [each.change] : []));
    const seqs = await storeInOrder(changes, at, actor, { clients: this.clients, transaction });
    const current = new Map<string, string>();
    return planned.map((each): OperationResult => {
      if ('error' in each) return each;
      const { clientId, before, change, secret } = each;
      const seq = change ? seqs.shift() : (current.get(clientId) ?? knownSeq(before));
      if (seq === undefined) return { error: lost(clientId, before) };
      current.set(clientId, seq);
      return { clientId, changed: change !== undefined, seq, ...(secret !== undefined && { secret }) };
    });
  }
}

/** Rows were locked before, so only a registration can come too late, and what builds on it. */
function lost(clientId: string, before: StoredClient | undefined): Error {
  return before ? clientChanged(clientId) : clientExists(clientId);
}

/** Nothing for a state that an operation before would lead to. */
function knownSeq(state: StoredClient | undefined): string | undefined {
  return state?.seq === PENDING ? undefined : state?.seq;
}

function withoutEffect(planned: PlannedOperation): OperationResult {
  if ('error' in planned) return planned;
  const { clientId, before, change } = planned;
  const seq = knownSeq(before);
  return { clientId, changed: change !== undefined, ...(!change && seq !== undefined && { seq }) };
}

function refuseFaults(
  operations: readonly BulkOperation[],
  results: readonly (PlannedOperation | OperationResult)[],
): void {
  const refusals = results.flatMap((result, index) => {
    const operation = operations[index];
    return 'error' in result && operation ? [{ index, operation, error: result.error }] : [];
  });
  if (refusals.length > 0) throw new BulkRefusedError(refusals);
}

function idsIn(operations: readonly BulkOperation[]): string[] {
  const ids = operations.flatMap((operation) => {
    if (operation.op !== 'register') return [operation.client_id];
    const asked = (operation.client as { preferred_client_id?: unknown } | null)?.preferred_client_id;
    return typeof asked === 'string' ? [asked] : [];
  });
  return [...new Set(ids)];
}
