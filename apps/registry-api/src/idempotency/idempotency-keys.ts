import { createHash, hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EventLoopYield } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { inTransaction, type Transaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';

/** How long a key is remembered. */
const LIFETIME_MS = 24 * 3_600_000;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** What a request with a key has done. */
export interface Outcome {
  /** The Client that was registered, or got a new secret. */
  readonly clientId?: string | null;
  /** What else a repeated response is built from, never a secret. */
  readonly answer?: unknown;
}

/** A request that takes effect once, however often it is sent. */
export interface KeyedRequest<T> {
  readonly key: string;
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: Buffer;
  /** Id of the caller's token. */
  readonly actorId: string;
  /** Runs in the transaction that claims the key; when it throws, the key stays free. */
  perform(transaction: Transaction): Promise<{ readonly result: T; readonly outcome: Outcome }>;
  /** The result for a repeated request: without secrets, since none are stored. */
  repeat(outcome: Outcome): Promise<T>;
}

/** Remembers completed requests (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class IdempotencyKeys {
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * @throws {RegistryError} `invalid_idempotency_key`; `idempotency_key_reused` by another request
   */
  async once<T>(request: KeyedRequest<T>): Promise<T> {
    if (!KEY.test(request.key)) throw invalidIdempotencyKey();
    return this.inTurn(`${request.actorId} ${request.key}`, async () => {
      // Repeats when another process has claimed the key in the meantime, or has just forgotten it.
      for (;;) {
        const known = await this.known(request);
        if (known) return request.repeat(known);
        const done = await this.performFirst(request);
        if (done) return done.result;
      }
    });
  }

  /** One at a time for each key, so that requests that wait for it in this process hold no database connection. */
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

  /** @returns undefined when the key is free */
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
    const perform = async (transaction: Transaction): Promise<{ readonly result: T } | undefined> => {
      const claimed = await CLAIM_KEY.run(transaction, [actorId, key, fingerprint, at, expired]);
      if (claimed.length === 0) return undefined;
      const { result, outcome } = await request.perform(transaction);
      const { clientId = null, answer = null } = outcome;
      await KEEP_OUTCOME.run(transaction, [actorId, key, clientId, answer && JSON.stringify(answer)]);
      await FORGET_KEYS.run(transaction, [expired]);
      return { result };
    };
    return inTransaction(this.dataSource, perform, actorId);
  }
}

export function invalidIdempotencyKey(): RegistryError {
  return new RegistryError(
    'invalid_idempotency_key',
    'the Idempotency-Key must be 1 to 255 visible ASCII characters',
  );
}

export function idempotencyKeyReused(): RegistryError {
  return new RegistryError(
    'idempotency_key_reused',
    'this Idempotency-Key was already used for a different request; use a new key for each request',
  );
}

/**
 * Claims a key that has not been claimed since `$5`, and returns it; waits for a transaction that is claiming it.
 * `$1` actor `$2` key `$3` fingerprint `$4` time
 */
const CLAIM_KEY = new PreparedStatement<{ key: string }>(
  'idempotency_claim_key',
  `INSERT INTO idempotency_key AS k (actor_id, key, fingerprint, created_at)
   VALUES ($1, $2, $3, $4)
   ON CONFLICT (actor_id, key) DO UPDATE
   SET fingerprint = excluded.fingerprint, client_id = NULL, outcome = NULL, created_at = excluded.created_at
   WHERE k.created_at <= $5
   RETURNING key`,
);

/** `$1` actor `$2` key `$3` client_id `$4` outcome */
const KEEP_OUTCOME = new PreparedStatement<never>(
  'idempotency_keep_outcome',
  `UPDATE idempotency_key SET client_id = $3, outcome = $4::jsonb WHERE actor_id = $1 AND key = $2`,
);

/** `$1` actor `$2` key `$3` claimed after this time */
const FIND_KEY = new PreparedStatement<Outcome & { readonly fingerprint: Buffer }>(
  'idempotency_find_key',
  `SELECT fingerprint, client_id AS "clientId", outcome AS answer FROM idempotency_key
   WHERE actor_id = $1 AND key = $2 AND created_at > $3`,
);

/** Deletes some keys from before `$1`: several for each new one, so that they do not accumulate. */
const FORGET_KEYS = new PreparedStatement<never>(
  'idempotency_forget_keys',
  `DELETE FROM idempotency_key WHERE (actor_id, key) IN (
     SELECT actor_id, key FROM idempotency_key WHERE created_at <= $1
     ORDER BY created_at LIMIT 10 FOR UPDATE SKIP LOCKED
   )`,
);

/** SHA-256 of a JSON value, regardless of the order of its members. */
export function bodyFingerprint(body: unknown): Buffer {
  return hash('sha256', jsonOf(body), 'buffer');
}

/**
 * SHA-256 of a request other than a registration, part by part, so that other requests are served in between.
 *
 * @param operation distinguishes requests with the same parts
 */
export async function requestFingerprint(operation: string, parts: readonly unknown[]): Promise<Buffer> {
  const pause = new EventLoopYield();
  const digest = createHash('sha256').update(operation);
  for (const part of parts) {
    await pause.ifDue();
    // JSON has no line breaks, so no two lists of parts produce the same text.
    digest.update(`\n${jsonOf(part)}`);
  }
  return digest.digest();
}

function jsonOf(value: unknown): string {
  return JSON.stringify(withSortedMembers(value)) ?? '';
}

function withSortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMembers);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, withSortedMembers((value as Record<string, unknown>)[name])]);
}
