import { Injectable } from '@nestjs/common';
import type { Principal } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { inTransaction, type Transaction } from '../database/transaction.js';
import { requestFingerprint } from '../idempotency/body-fingerprint.js';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.js';
import { ApiTokenVerifier } from './api-token-verifier.js';
import { ApiToken } from './api-token.entity.js';
import { createToken, type MadeToken, type NewToken, type TokenMaker } from './create-token.js';
import { TokenLifetimes } from './token-lifetimes.js';
import {
  ENDED_TOKENS,
  HOLD_TOKEN,
  LIVING_DESCENDANTS,
  LIVING_TOKENS,
  REVOKE_TOKENS,
} from './token-statements.js';
import { grantorEnded, idempotentTokenEnded, scopeNotHeld, tokenNotFound } from './token.errors.js';

const TOKEN_ID = /^[0-9a-f]{16}$/;

/** A token, with its value the first time. */
export type MadeTokenOnce = Omit<MadeToken, 'value'> & { readonly value?: string };

/** A page of tokens that have ended. */
export interface EndedTokens {
  readonly tokens: readonly ApiToken[];
  readonly hasMore: boolean;
}

/** What a revocation ended, and what the token has made that goes on. */
export interface Revocation {
  readonly revoked: readonly ApiToken[];
  readonly descendants: readonly ApiToken[];
}

/** API tokens: a holder may do what the scopes of the token say. */
@Injectable()
export class TokensService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly verifier: ApiTokenVerifier,
    private readonly lifetimes: TokenLifetimes,
    private readonly keys: IdempotencyKeys,
  ) {}

  /** All that can be used, newest first. */
  async living(): Promise<ApiToken[]> {
    return LIVING_TOKENS.run(this.dataSource, [new Date()]);
  }

  /**
   * Tokens that were revoked or have expired, newest first.
   *
   * @param before id of the last token of the page before
   * @throws {RegistryError} `token_not_found`: there is no such token
   */
  async ended(limit: number, before?: string): Promise<EndedTokens> {
    if (before !== undefined) await this.find(before);
    const found = await ENDED_TOKENS.run(this.dataSource, [new Date(), before ?? null, limit + 1]);
    return { tokens: found.slice(0, limit), hasMore: found.length > limit };
  }

  /** @throws {RegistryError} `token_not_found` */
  async find(id: string): Promise<ApiToken> {
    const tokens = this.dataSource.getRepository(ApiToken);
    const token = TOKEN_ID.test(id) ? await tokens.findOneBy({ id }) : null;
    if (!token) throw tokenNotFound();
    return token;
  }

  /** Tokens that can be used and that this one has made, or one that it has made, and so on; newest first. */
  async livingDescendants(id: string): Promise<ApiToken[]> {
    return LIVING_DESCENDANTS.run(this.dataSource, [new Date(), id]);
  }

  /** When a token ends; null: never. Nothing where the id is not of an API token, but the subject of an access token. */
  async expiryOf(id: string): Promise<Date | null | undefined> {
    if (!TOKEN_ID.test(id)) return undefined;
    return (await this.dataSource.getRepository(ApiToken).findOneBy({ id }))?.expiresAt;
  }

  /**
   * Makes a token that ends no later than the one it is made with, or than configuration allows what is made with an
   * issuer's access token.
   *
   * @throws {RegistryError} `scope_not_held`, `token_invalid`, `too_many_tokens`
   */
  async create(wanted: NewToken, grantor: Principal): Promise<MadeToken> {
    return inTransaction(this.dataSource, async (transaction) => this.createIn(transaction, wanted, grantor));
  }

  /**
   * The same, once for each Idempotency-Key; a repetition has no value.
   *
   * @throws {RegistryError} `scope_not_held`, `token_invalid`, `too_many_tokens`, `invalid_idempotency_key`
   * @throws {RegistryError} `idempotency_key_reused`, `idempotent_token_ended`: the key is taken, and not by what can be repeated
   */
  async createOnce(wanted: NewToken, grantor: Principal, key: string): Promise<MadeTokenOnce> {
    const { name, scopes, lifetime = null } = wanted;
    return this.keys.once<MadeTokenOnce>({
      ...{
        key,
        actorId: grantor.id,
        fingerprint: await requestFingerprint('token', [name, scopes, lifetime]),
      },
      perform: async (transaction) => {
        const made = await this.createIn(transaction, wanted, grantor);
        return { result: made, outcome: { answer: { id: made.token.id } } };
      },
      repeat: async ({ answer }) => ({ token: await this.stillLiving((answer as { id: string }).id) }),
    });
  }

  /**
   * Ends a token: at once here, within a second on other replicas.
   *
   * @param withDescendants whether what it has made ends with it
   * @throws {RegistryError} `token_not_found`
   */
  async revoke(id: string, withDescendants: boolean): Promise<Revocation> {
    const token = await this.find(id);
    const now = new Date();
    const formerHashes: Buffer[] = [];
    const revoked = await inTransaction(this.dataSource, async (transaction) => {
      const ended: ApiToken[] = [];
      let next = [token];
      // A descendant may make another until it is revoked itself, which waits for that: one look may not find all.
      while (next.length > 0) {
        const rows = await REVOKE_TOKENS.run(transaction, [now, next.map((one) => one.id)]);
        const ids = new Set(rows.map((row) => row.id));
        formerHashes.push(...rows.map(({ formerHash }) => formerHash));
        ended.push(...next.filter((one) => ids.has(one.id)).map((one) => ({ ...one, revokedAt: now })));
        next = withDescendants ? await LIVING_DESCENDANTS.run(transaction, [now, id]) : [];
      }
      return ended;
    });
    for (const hash of formerHashes) this.verifier.forget(hash);
    return { revoked, descendants: await this.livingDescendants(id) };
  }

  private async createIn(transaction: Transaction, wanted: NewToken, grantor: Principal): Promise<MadeToken> {
    const lacking = wanted.scopes.filter((scope) => !grantor.scopes.includes(scope));
    if (lacking.length > 0) throw scopeNotHeld(lacking);
    const now = new Date();
    const maker = await this.makerOf(grantor, now, transaction);
    return createToken(transaction, wanted, maker, { now, keptFrom: this.lifetimes.retention.keptFrom(now) });
  }

  /** @throws {RegistryError} `idempotent_token_ended` */
  private async stillLiving(id: string): Promise<ApiToken> {
    const token = (await this.living()).find((one) => one.id === id);
    if (!token) throw idempotentTokenEnded(id);
    return token;
  }

  /** @throws {RegistryError} `token_invalid` */
  private async makerOf(grantor: Principal, now: Date, transaction: Transaction): Promise<TokenMaker> {
    const { id: createdBy, issuer, subject } = grantor;
    if (!TOKEN_ID.test(createdBy)) {
      const latestEnd = new Date(now.getTime() + this.lifetimes.madeByIssuersUsers * 1_000);
      return { createdBy, issuer, subject, latestEnd };
    }
    const [held] = await HOLD_TOKEN.run(transaction, [now, createdBy]);
    if (!held) throw grantorEnded();
    return { createdBy, latestEnd: held.expiresAt ?? undefined };
  }
}
