import { randomBytes } from 'node:crypto';
import type { Transaction } from '../database/transaction.js';
import type { ApiToken } from './api-token.entity.js';
import type { Scope } from './scopes.js';
import { COUNT_LIVING_TOKENS, FORGET_TOKENS, INSERT_TOKEN } from './token-statements.js';
import { hashTokenValue, newTokenValue } from './token-value.js';
import { tooManyTokens } from './token.errors.js';

/** What a new token is to be. */
export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Seconds from now; as long as its maker allows when left out. */
  readonly lifetime?: number | undefined;
}

/** Who makes a token, and how long it may last. */
export interface TokenMaker {
  /** Id of the token that makes it, or what else does. */
  readonly createdBy: string;
  /** Of an issuer's access token. */
  readonly issuer?: string | undefined;
  readonly subject?: string | undefined;
  /** The new token ends no later; absent: it need not end. */
  readonly latestEnd?: Date | undefined;
}

/** A token just made, and its value, which cannot be read again. */
export interface MadeToken {
  readonly token: ApiToken;
  readonly value: string;
}

/** People and services that have tokens are counted in tens; more than this is a fault of a program. */
export const MAX_TOKENS = 1_000;

/**
 * Makes a token without asking who wants it.
 *
 * @param times when it is made; tokens that ended before `keptFrom` may be forgotten
 * @throws {RegistryError} `too_many_tokens`
 */
export async function createToken(
  transaction: Transaction,
  { name, scopes, lifetime }: NewToken,
  maker: TokenMaker,
  { now, keptFrom }: { readonly now: Date; readonly keptFrom: Date },
): Promise<MadeToken> {
  await FORGET_TOKENS.run(transaction, [keptFrom]);
  const [living] = await COUNT_LIVING_TOKENS.run(transaction, [now]);
  if ((living?.count ?? 0) >= MAX_TOKENS) throw tooManyTokens(MAX_TOKENS);
  const value = newTokenValue();
  const token: ApiToken = {
    id: randomBytes(8).toString('hex'),
    name,
    hash: hashTokenValue(value),
    scopes: [...scopes],
    createdAt: now,
    createdBy: maker.createdBy,
    issuer: maker.issuer ?? null,
    subject: maker.subject ?? null,
    expiresAt: endOf(now, lifetime, maker.latestEnd),
    revokedAt: null,
    lastUsedAt: null,
  };
  await INSERT_TOKEN.run(transaction, [
    ...[token.id, name, token.hash, token.scopes, now],
    ...[token.createdBy, token.issuer, token.subject, token.expiresAt],
  ]);
  return { token, value };
}

/** @returns null: never */
function endOf(now: Date, lifetime: number | undefined, latestEnd: Date | undefined): Date | null {
  const wanted = lifetime === undefined ? undefined : new Date(now.getTime() + lifetime * 1_000);
  if (!wanted || !latestEnd) return wanted ?? latestEnd ?? null;
  return wanted < latestEnd ? wanted : latestEnd;
}
