import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { clientChanged, clientExists } from '../clients/client.errors.js';
import { ClientStore } from '../clients/client.store.js';
import { PENDING } from '../clients/planned-change.js';
import { type BodyOfClient, SecretChecks } from '../clients/secret-checks.js';
import type { StoredClient } from '../clients/stored-client.js';
import { inTransaction, type Transaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';
import type { Caller } from '../http/current-caller.js';
import { IdempotencyKeys, requestFingerprint } from '../idempotency/idempotency-keys.js';
import { toBulkAnswer } from './bulk-answer.js';
import {
  BulkPlanner,
  BulkRefusedError,
  type OperationResult,
  type PlannedOperation,
} from './bulk-planner.js';
import { type BulkOperation, type BulkRequest, updateOf } from './bulk-request.js';

type BulkAnswer = ReturnType<typeof toBulkAnswer>;

interface BulkAnswerOnce {
  readonly answer: BulkAnswer;
  readonly isReplayed: boolean;
}

@Injectable()
export class BulkService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientStore,
    private readonly planner: BulkPlanner,
    private readonly keys: IdempotencyKeys,
    private readonly secretChecks: SecretChecks,
  ) {}

  /**
   * Carries out operations in order, in one transaction.
   *
   * @returns a result for each operation
   * @throws {BulkRefusedError} when the request is atomic and an operation fails
   */
  async run(request: BulkRequest, actor: Caller): Promise<OperationResult[]> {
    const work = async (transaction: Transaction) => this.runIn(transaction, request, actor);
    return inTransaction(this.dataSource, work, actor.id);
  }

  /**
   * Carries out operations once for each Idempotency-Key. A repetition returns the first answer, without secrets and
   * without lists of violations.
   *
   * @throws {RegistryError | BulkRefusedError} `invalid_idempotency_key`, `idempotent_dry_run`, `idempotency_key_reused`
   */
  async runOnce(request: BulkRequest, key: string, actor: Caller): Promise<BulkAnswerOnce> {
    const { atomic, dryRun, operations } = request;
    if (dryRun) throw idempotentDryRun();
    return this.keys.once<BulkAnswerOnce>({
      ...{ key, actorId: actor.id, fingerprint: await requestFingerprint('bulk', [atomic, ...operations]) },
      perform: async (transaction) => {
        const answer = toBulkAnswer(request, await this.runIn(transaction, request, actor));
        return { result: { answer, isReplayed: false }, outcome: { answer: kept(answer) } };
      },
      repeat: async ({ answer }) => ({ answer: answer as BulkAnswer, isReplayed: true }),
    });
  }

  /** The same as part of a transaction. */
  async runIn(
    transaction: Transaction,
    { atomic, dryRun, operations }: BulkRequest,
    actor: Caller,
  ): Promise<OperationResult[]> {
    const at = new Date();
    const { clients: state, taken } = await this.clients.lock(idsIn(operations), actor, transaction);
    const isCurrentSecret = await this.secretChecks.checkFor(bodiesIn(operations), transaction);
    const planned = await this.planner.plan(operations, { state, taken, at, actor, isCurrentSecret });
    if (atomic) throwIfRefused(operations, planned);
    if (dryRun) return planned.map(withoutEffect);
    const results = await this.store(planned, at, actor, transaction);
    if (atomic) throwIfRefused(operations, results);
    return results;
  }

  private async store(
    planned: readonly PlannedOperation[],
    at: Date,
    actor: Caller,
    transaction: Transaction,
  ): Promise<OperationResult[]> {
    const changes = planned.flatMap((each) => ('change' in each && each.change ? [each.change] : []));
    const revisions = await this.clients.applyInOrder(changes, at, actor, transaction);
    const current = new Map<string, string>();
    return planned.map((each): OperationResult => {
      if ('error' in each) return each;
      const { clientId, before, change, secret } = each;
      const revision = change ? revisions.shift() : (current.get(clientId) ?? knownRevision(before));
      if (revision === undefined) return { error: lost(clientId, before) };
      current.set(clientId, revision);
      return { clientId, changed: change !== undefined, revision, ...(secret !== undefined && { secret }) };
    });
  }
}

/** Rows are locked, so only a registration, or an operation that builds on one, can lose a race. */
function lost(clientId: string, before: StoredClient | undefined): Error {
  return before ? clientChanged(clientId) : clientExists(clientId);
}

/** Undefined for a state that an earlier operation would lead to. */
function knownRevision(state: StoredClient | undefined): string | undefined {
  return state?.revision === PENDING ? undefined : state?.revision;
}

function withoutEffect(planned: PlannedOperation): OperationResult {
  if ('error' in planned) return planned;
  const { clientId, before, change } = planned;
  const revision = knownRevision(before);
  return { clientId, changed: change !== undefined, ...(!change && revision !== undefined && { revision }) };
}

function throwIfRefused(
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

function bodiesIn(operations: readonly BulkOperation[]): BodyOfClient[] {
  return operations.flatMap((operation) =>
    operation.op === 'update' ? [[operation.client_id, updateOf(operation)[1]] as const] : [],
  );
}

function kept(answer: BulkAnswer) {
  return { ...answer, results: answer.results.map(keptResult) };
}

function keptResult(result: BulkAnswer['results'][number]) {
  if ('problem' in result) {
    const { errors: _, ...problem } = result.problem;
    return { ...result, problem };
  }
  const { client_secret: _, ...rest } = result;
  return rest;
}

/** A dry run changes nothing, so a key has nothing to protect. */
function idempotentDryRun(): RegistryError {
  return new RegistryError(
    'idempotent_dry_run',
    'a dry run changes nothing and does not accept an Idempotency-Key; send it without',
  );
}
