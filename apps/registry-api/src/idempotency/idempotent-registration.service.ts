import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Actor } from '../clients/actor.js';
import { ChangePlanner, type WithSecret } from '../clients/change-planner.js';
import { ClientExistsError } from '../clients/client.errors.js';
import { ClientStore } from '../clients/client.store.js';
import { clientIdOf, stateAfter } from '../clients/planned-change.js';
import type { StoredClient } from '../clients/stored-client.js';
import { inTransaction } from '../database/transaction.js';
import { bodyFingerprint } from './body-fingerprint.js';
import { CLAIM_KEY, FIND_KEY, FORGET_KEYS } from './idempotency-statements.js';
import {
  IdempotencyKeyReusedError,
  IdempotentClientGoneError,
  InvalidIdempotencyKeyError,
} from './idempotency.errors.js';

/** How long a key is remembered, in milliseconds. */
const LIFETIME_MS = 24 * 3_600_000;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** A registered Client; with its client_secret the first time only. */
export interface IdempotentRegistration {
  readonly client: StoredClient;
  readonly secret?: string;
}

/** Registers a Client once, however often the same request comes (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class IdempotentRegistrationService {
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientStore,
    private readonly planner: ChangePlanner,
  ) {}

  /**
   * @throws {InvalidIdempotencyKeyError | InvalidClientError | ClientExistsError}
   * @throws {IdempotencyKeyReusedError | IdempotentClientGoneError} the key is taken, and not by what can be repeated
   */
  async register(key: string, body: unknown, actor: Actor): Promise<IdempotentRegistration> {
    if (!KEY.test(key)) throw new InvalidIdempotencyKeyError();
    const fingerprint = bodyFingerprint(body);
    const planned = this.planner.register(body);
    return this.inTurn(`${actor.id} ${key}`, async () => {
      // Each further round means that another process has taken the key meanwhile, or has just forgotten it.
      for (;;) {
        const known = await this.repeated(key, fingerprint, actor);
        const done = known ?? (await this.registerFirst(key, fingerprint, planned, actor));
        if (done) return done;
      }
    });
  }

  /** One after the other for each key, so that those who wait for it in this process hold no database connection. */
  private async inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.underWay.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.underWay.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.underWay.get(name) === turn) this.underWay.delete(name);
    }
  }

  /** @returns what the key has registered; nothing when it is free */
  private async repeated(
    key: string,
    fingerprint: Buffer,
    actor: Actor,
  ): Promise<IdempotentRegistration | undefined> {
    const expired = new Date(Date.now() - LIFETIME_MS);
    const [taken] = await FIND_KEY.run(this.dataSource, [actor.id, key, expired]);
    if (!taken) return undefined;
    if (!taken.fingerprint.equals(fingerprint)) throw new IdempotencyKeyReusedError();
    const client = await this.clients.find(taken.clientId);
    if (!client) throw new IdempotentClientGoneError(taken.clientId);
    return { client };
  }

  /** @returns nothing when the key is taken */
  private async registerFirst(
    key: string,
    fingerprint: Buffer,
    { change, secret }: WithSecret,
    actor: Actor,
  ): Promise<IdempotentRegistration | undefined> {
    const at = new Date();
    const expired = new Date(at.getTime() - LIFETIME_MS);
    const clientId = clientIdOf(change);
    return inTransaction(this.dataSource, async (transaction) => {
      const values = [actor.id, key, fingerprint, clientId, at, expired];
      const claimed = await CLAIM_KEY.run(transaction, values);
      if (claimed.length === 0) return undefined;
      const seq = (await this.clients.apply([change], at, actor, transaction)).get(clientId);
      const client = seq === undefined ? undefined : stateAfter(change, seq, at);
      if (!client) throw new ClientExistsError(clientId);
      await FORGET_KEYS.run(transaction, [expired]);
      return { client, secret };
    });
  }
}
