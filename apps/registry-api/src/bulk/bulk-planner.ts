import { Injectable } from '@nestjs/common';
import { EventLoopYield } from '@svc/service-kit';
import { ChangePlanner, type ReplaceOptions, type WithSecret } from '../clients/change-planner.js';
import { clientChanged, clientExists, clientNotFound } from '../clients/client.errors.js';
import { clientIdOf, PENDING, type PlannedChange, stateAfter } from '../clients/planned-change.js';
import type { SecretCheck } from '../clients/secret-checks.js';
import type { StoredClient } from '../clients/stored-client.js';
import { ifMatchAllows, requiredPreconditionOf } from '../http/conditional-requests.js';
import type { Caller, Reach } from '../http/current-caller.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { type BulkOperation, updateOf } from './bulk-request.js';

/** A planned change, nothing to change, or an error. */
export type PlannedOperation =
  | {
      readonly clientId: string;
      /** The state before; absent for a registration. */
      readonly before?: StoredClient;
      readonly change?: PlannedChange;
      readonly secret?: string;
    }
  | { readonly error: unknown };

/** The outcome of an operation. */
export type OperationResult =
  | {
      readonly clientId: string;
      readonly changed: boolean;
      /** The revision of the Client's new state, or of its deletion; absent in a dry run that would change it. */
      readonly revision?: string;
      readonly secret?: string;
    }
  | { readonly error: unknown };

/** An operation that cannot be carried out. */
export interface Refusal {
  readonly index: number;
  readonly operation: BulkOperation;
  readonly error: unknown;
}

/** Some operations of an atomic request cannot be carried out, so none was. */
export class BulkRefusedError extends Error {
  override readonly name = 'BulkRefusedError';

  constructor(readonly refusals: readonly Refusal[]) {
    super(`${refusals.length} of the operations cannot be carried out, so none was`);
  }
}

/** What operations are planned on. */
export interface BulkOccasion {
  /** The existing Clients among those named. */
  readonly state: Map<string, StoredClient>;
  /** Ids of those that the caller does not reach. */
  readonly taken: ReadonlySet<string>;
  readonly at: Date;
  readonly actor: Caller;
  readonly isCurrentSecret: SecretCheck;
}

@Injectable()
export class BulkPlanner {
  constructor(
    private readonly planner: ChangePlanner,
    private readonly settings: RegistrySettings,
  ) {}

  /**
   * Plans operations one after the other, each on the state that the previous ones lead to. One that fails has no effect
   * on the rest. A thousand Clients with a hundred URIs each take a second, so other requests are served in between.
   *
   */
  async plan(operations: readonly BulkOperation[], occasion: BulkOccasion): Promise<PlannedOperation[]> {
    const pause = new EventLoopYield();
    const planned: PlannedOperation[] = [];
    for (const operation of operations) {
      await pause.ifDue();
      planned.push(this.planOrRefuse(operation, occasion));
    }
    return planned;
  }

  private planOrRefuse(operation: BulkOperation, occasion: BulkOccasion): PlannedOperation {
    try {
      const planned = this.planOne(operation, occasion);
      if (planned.change) applyTo(occasion.state, planned.change, occasion.at);
      return planned;
    } catch (error) {
      return { error };
    }
  }

  private planOne(
    operation: BulkOperation,
    { state, taken, actor, isCurrentSecret }: BulkOccasion,
  ): Exclude<PlannedOperation, { error: unknown }> {
    if (operation.op === 'register') {
      const isTaken = (id: string) => state.has(id) || taken.has(id);
      return registered(this.planner.register(operation.client, actor), isTaken);
    }
    const { client_id: clientId } = operation;
    const before = state.get(clientId);
    if (operation.op === 'update' || operation.op === 'delete') {
      requiredPreconditionOf({ ifMatch: operation.if_match }, this.settings);
    }
    if (!before) throw clientNotFound(clientId);
    if (!ifMatchAllows(operation.if_match, before.revision)) throw clientChanged(clientId);
    const options = { isCurrentSecret: (secret: string) => isCurrentSecret(clientId, secret) };
    const change = this.changeOf(operation, before, actor, options);
    return change ? { clientId, before, change } : { clientId, before };
  }

  private changeOf(
    operation: Exclude<BulkOperation, { op: 'register' }>,
    before: StoredClient,
    reach: Reach,
    options: ReplaceOptions,
  ): PlannedChange | undefined {
    switch (operation.op) {
      case 'update': {
        const [kind, body] = updateOf(operation);
        return kind === 'patch'
          ? this.planner.patch(before, body, reach, options)
          : this.planner.replace(before, body, reach, options);
      }
      case 'enable':
        return this.planner.setEnabled(before, true);
      case 'disable': {
        const change = this.planner.setEnabled(before, false);
        return operation.pending && change?.kind === 'disabled' ? { ...change, isPending: true } : change;
      }
      case 'delete':
        return { kind: 'deleted', before };
    }
  }
}

function registered({ change, secret }: WithSecret, isTaken: (clientId: string) => boolean) {
  const clientId = clientIdOf(change);
  if (isTaken(clientId)) throw clientExists(clientId);
  return { clientId, change, secret };
}

function applyTo(state: Map<string, StoredClient>, change: PlannedChange, at: Date): void {
  const after = stateAfter(change, PENDING, at);
  if (after) state.set(after.clientId, after);
  else state.delete(clientIdOf(change));
}
