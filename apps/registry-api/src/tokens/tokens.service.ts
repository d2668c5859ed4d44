import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, LessThan } from 'typeorm';
import { ApiTokenVerifier } from './api-token-verifier.js';
import { ApiToken } from './api-token.entity.js';
import type { Scope } from './scopes.js';
import { hashTokenValue, newTokenValue } from './token-value.js';
import { ScopeNotHeldError, TokenNotFoundError, TooManyTokensError } from './token.errors.js';

/** Who makes a token. */
export interface Grantor {
  readonly id: string;
  readonly scopes: readonly string[];
}

/** What a new token is to be. */
export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Seconds from now; it does not expire when left out. */
  readonly lifetime?: number | undefined;
}

/** A token just made, and its value, which nobody can read again. */
export interface MadeToken {
  readonly token: ApiToken;
  readonly value: string;
}

/** People and services that have tokens are counted in tens; more than this is a fault of a program. */
export const MAX_TOKENS = 1_000;

/** How long a token that has expired is still listed, in milliseconds. */
const KEPT_EXPIRED_MS = 30 * 24 * 3_600_000;

/** API tokens: whoever holds one may do what its scopes say. */
@Injectable()
export class TokensService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly verifier: ApiTokenVerifier,
  ) {}

  /** All of them, the newest first; those that expired lately too. */
  async list(): Promise<ApiToken[]> {
    return this.dataSource.getRepository(ApiToken).find({ order: { createdAt: 'DESC', id: 'ASC' } });
  }

  /** When a token ends; null: never. Nothing for what is no token of ours, such as the subject of an access token. */
  async expiryOf(id: string): Promise<Date | null | undefined> {
    if (!TOKEN_ID.test(id)) return undefined;
    return (await this.dataSource.getRepository(ApiToken).findOneBy({ id }))?.expiresAt;
  }

  /** @throws {ScopeNotHeldError | TooManyTokensError} */
  async create(wanted: NewToken, grantor: Grantor): Promise<MadeToken> {
    const lacking = wanted.scopes.filter((scope) => !grantor.scopes.includes(scope));
    if (lacking.length > 0) throw new ScopeNotHeldError(lacking);
    return createToken(this.dataSource, wanted, grantor.id);
  }

  /** Ends a token: at once here, within a second on other replicas. @throws {TokenNotFoundError} */
  async revoke(id: string): Promise<void> {
    const tokens = this.dataSource.getRepository(ApiToken);
    const token = TOKEN_ID.test(id) ? await tokens.findOneBy({ id }) : null;
    if (!token) throw new TokenNotFoundError();
    const { affected } = await tokens.delete({ id });
    this.verifier.forget(token.hash);
    if (affected === 0) throw new TokenNotFoundError();
  }
}

const TOKEN_ID = /^[0-9a-f]{16}$/;

/**
 * Makes a token without asking who wants it.
 *
 * @param createdBy id of the token that made it, or what else did
 * @throws {TooManyTokensError}
 */
export async function createToken(
  dataSource: DataSource,
  { name, scopes, lifetime }: NewToken,
  createdBy: string,
): Promise<MadeToken> {
  const now = new Date();
  const value = newTokenValue();
  const token: ApiToken = {
    id: randomBytes(8).toString('hex'),
    name,
    hash: hashTokenValue(value),
    scopes: [...scopes],
    createdAt: now,
    createdBy,
    expiresAt: lifetime === undefined ? null : new Date(now.getTime() + lifetime * 1_000),
    lastUsedAt: null,
  };
  await dataSource.transaction(async (manager) => {
    await manager.delete(ApiToken, { expiresAt: LessThan(new Date(now.getTime() - KEPT_EXPIRED_MS)) });
    if ((await manager.count(ApiToken)) >= MAX_TOKENS) throw new TooManyTokensError(MAX_TOKENS);
    await manager.insert(ApiToken, token);
  });
  return { token, value };
}
