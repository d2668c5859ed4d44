import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import type { Caller, Reach } from '../http/current-caller.js';
import {
  bodyFingerprint,
  IdempotencyKeys,
  type Outcome,
  requestFingerprint,
} from '../idempotency/idempotency-keys.js';
import { ChangePlanner } from './change-planner.js';
import { clientChanged, clientExists, clientNotFound, idempotentClientGone } from './client.errors.js';
import { ClientStore } from './client.store.js';
import type { ClientWithSecretIfAny, Precondition } from './clients.service.js';
import { clientIdOf, type PlannedChange, type Rotation, stateAfter } from './planned-change.js';
import type { StoredClient } from './stored-client.js';

/** A request with an Idempotency-Key. */
interface Keyed {
  readonly key: string;
  readonly actor: Caller;
}

/** Requests that create a client_secret, once for each Idempotency-Key. A repetition returns the Client without it. */
@Injectable()
export class IdempotentClientsService {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly clients: ClientStore,
    private readonly planner: ChangePlanner,
  ) {}

  /**
   * @throws {RegistryError | InvalidClientError} `invalid_idempotency_key`, `client_exists`
   * @throws {RegistryError} `idempotency_key_reused`, `idempotent_client_gone`
   */
  async register(
    body: unknown,
    secretExpiresIn: number | undefined,
    { key, actor }: Keyed,
  ): Promise<ClientWithSecretIfAny> {
    const { change, secret } = this.planner.register(body, actor, secretExpiresIn);
    return this.keys.once<ClientWithSecretIfAny>({
      ...{ key, actorId: actor.id },
      fingerprint:
        secretExpiresIn === undefined
          ? bodyFingerprint(body)
          : await requestFingerprint('register', [body, secretExpiresIn]),
      perform: async (transaction) => {
        const client = await this.applied(change, actor, transaction);
        if (!client) throw clientExists(clientIdOf(change));
        return { result: { client, secret }, outcome: outcomeFor(client) };
      },
      repeat: async (outcome) => this.repeated(outcome, actor),
    });
  }

  /**
   * Like `ClientsService.resetSecret`.
   *
   * @throws {RegistryError} `invalid_idempotency_key`, `client_not_found`, `client_changed`
   * @throws {RegistryError} `idempotency_key_reused`, `idempotent_client_gone`
   */
  async resetSecret(
    clientId: string,
    rotation: Rotation,
    isWanted: Precondition,
    { key, actor }: Keyed,
  ): Promise<ClientWithSecretIfAny> {
    return this.keys.once<ClientWithSecretIfAny>({
      ...{
        key,
        actorId: actor.id,
        fingerprint: await rotationFingerprint(clientId, rotation),
      },
      perform: async (transaction) => {
        const before = (await this.clients.lock([clientId], actor, transaction)).clients.get(clientId);
        if (!before) throw clientNotFound(clientId);
        if (!isWanted(before)) throw clientChanged(clientId);
        const { change, secret } = this.planner.rotateSecret(before, rotation);
        const client = await this.applied(change, actor, transaction);
        if (!client) throw clientChanged(clientId);
        return { result: { client, secret }, outcome: outcomeFor(client) };
      },
      repeat: async (outcome) => this.repeated(outcome, actor),
    });
  }

  private async repeated(outcome: Outcome, reach: Reach): Promise<ClientWithSecretIfAny> {
    const clientId = outcome.clientId ?? '';
    const client = await this.clients.find(clientId, reach);
    if (!client || !isOutcomeFor(client, outcome)) throw idempotentClientGone(clientId);
    return { client };
  }

  /** @returns undefined when the change did not take effect */
  private async applied(
    change: PlannedChange,
    actor: Caller,
    transaction: Transaction,
  ): Promise<StoredClient | undefined> {
    const at = new Date();
    const revision = (await this.clients.apply([change], at, actor, transaction)).get(clientIdOf(change));
    return revision === undefined ? undefined : stateAfter(change, revision, at);
  }
}

/** The time of registration distinguishes the Client from later ones with its id. */
function outcomeFor({ clientId, createdAt }: StoredClient): Outcome {
  return { clientId, answer: { created_at: createdAt.toISOString() } };
}

/** Outcomes of earlier versions have no time. */
function isOutcomeFor({ createdAt }: StoredClient, { answer }: Outcome): boolean {
  const { created_at: at } = (answer ?? {}) as { readonly created_at?: string };
  return at === undefined || at === createdAt.toISOString();
}

/** Omits an absent `expiresIn`, as before it existed: keys stay valid across an upgrade. */
async function rotationFingerprint(clientId: string, { overlap, expiresIn }: Rotation): Promise<Buffer> {
  const parts = [clientId, overlap, ...(expiresIn === undefined ? [] : [expiresIn])];
  return requestFingerprint('reset_secret', parts);
}
