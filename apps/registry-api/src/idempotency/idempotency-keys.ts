import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inTransaction, type Transaction } from '../database/transaction.js';
import { CLAIM_KEY, FIND_KEY, FORGET_KEYS, KEEP_OUTCOME, type Outcome } from './idempotency-statements.js';
import { idempotencyKeyReused, invalidIdempotencyKey } from './idempotency.errors.js';

/** How long a key is remembered, in milliseconds. */
const LIFETIME_MS = 24 * 3_600_000;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** A request that counts once, however often it comes. */
export interface KeyedRequest<T> {
  readonly key: string;
  /** Tells the request from others of the same key. */
  readonly fingerprint: Buffer;
  /** Id of the token that sends it. */
  readonly actorId: string;
  /** Does what is asked, in the transaction that takes the key. What it throws leaves the key free. */
  perform(transaction: Transaction): Promise<{ readonly result: T; readonly outcome: Outcome }>;
  /** The answer to a repetition: without secrets, since none is kept. */
  repeat(outcome: Outcome): Promise<T>;
}

/** Remembers which requests were carried out (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class IdempotencyKeys {
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * @throws {RegistryError} `invalid_idempotency_key`
   * @throws {RegistryError} `idempotency_key_reused`: the key came before with another request
   */
  async once<T>(request: KeyedRequest<T>): Promise<T> {
    if (!KEY.test(request.key)) throw invalidIdempotencyKey();
    return this.inTurn(`${request.actorId} ${request.key}`, async () => {
      // Each further round means that another process has taken the key meanwhile, or has just forgotten it.
      for (;;) {
        const known = await this.known(request);
        if (known) return request.repeat(known);
        const done = await this.performFirst(request);
        if (done) return done.result;
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

  /** @returns what the key has done; undefined when it is free */
  private async known({ key, fingerprint, actorId }: KeyedRequest<unknown>): Promise<Outcome | undefined> {
    const expired = new Date(Date.now() - LIFETIME_MS);
    const [taken] = await FIND_KEY.run(this.dataSource, [actorId, key, expired]);
    if (taken && !taken.fingerprint.equals(fingerprint)) throw idempotencyKeyReused();
    return taken;
  }

  /** @returns undefined when the key is taken */
  private async performFirst<T>(request: KeyedRequest<T>): Promise<{ readonly result: T } | undefined> {
    const { key, fingerprint, actorId } = request;
    const at = new Date();
    const expired = new Date(at.getTime() - LIFETIME_MS);
    return inTransaction(this.dataSource, async (transaction) => {
      const claimed = await CLAIM_KEY.run(transaction, [actorId, key, fingerprint, at, expired]);
      if (claimed.length === 0) return undefined;
      const { result, outcome } = await request.perform(transaction);
      const { clientId = null, answer = null } = outcome;
      await KEEP_OUTCOME.run(transaction, [actorId, key, clientId, answer && JSON.stringify(answer)]);
      await FORGET_KEYS.run(transaction, [expired]);
      return { result };
    });
  }
}
