import { randomBytes } from 'node:crypto';
import type { CommanderScope, Reach } from '../access/caller.js';
import { CommanderError } from '../errors/commander-error.js';
import { hashToken, MAX_TOKENS, stateOf, type StoredToken } from './token-file.js';

/** What a new token may do. */
export interface TokenRights {
  readonly name: string;
  readonly scopes: readonly CommanderScope[];
  readonly libraries: Reach;
  readonly lookups: Reach;
  /** Undefined: it does not expire. */
  readonly expiresInMs: number | undefined;
}

/** Who changes the tokens, and when. */
export interface TokenChange {
  readonly by: string;
  readonly nowMs: number;
}

/** How long ended tokens stay in the list. */
const ENDED_FOR_MS = 30 * 24 * 3_600_000;

/**
 * Adds a token, and forgets those that ended a month ago.
 *
 * @returns the value, which is not stored
 * @throws {CommanderError} if a valid token has the name, or there are too many tokens
 */
export function createToken(
  tokens: readonly StoredToken[],
  { expiresInMs, ...rights }: TokenRights,
  { by, nowMs }: TokenChange,
): { readonly tokens: StoredToken[]; readonly token: StoredToken; readonly value: string } {
  const kept = tokens.filter((token) => endedAt(token) > nowMs - ENDED_FOR_MS);
  if (
    kept.some(({ name, ...token }) => name === rights.name && stateOf({ name, ...token }, nowMs) === 'valid')
  )
    throw new CommanderError(
      'failed',
      `there is already a valid token named ${rights.name}; revoke it, or choose another name`,
    );
  if (kept.length >= MAX_TOKENS)
    throw new CommanderError('failed', `there are already ${MAX_TOKENS} tokens, the maximum for a file`);
  const value = `svcc_${randomBytes(32).toString('base64url')}`;
  const token = {
    id: randomBytes(6).toString('hex'),
    ...rights,
    sha256: hashToken(value),
    created_at: new Date(nowMs).toISOString(),
    created_by: by,
    ...(expiresInMs !== undefined && { expires_at: new Date(nowMs + expiresInMs).toISOString() }),
  };
  return { tokens: [...kept, token], token, value };
}

/**
 * Revokes a token.
 *
 * @param which its id or, if it is valid, its name
 * @throws {CommanderError} if there is no such valid token
 */
export function revokeToken(
  tokens: readonly StoredToken[],
  which: string,
  { by, nowMs }: TokenChange,
): { readonly tokens: StoredToken[]; readonly token: StoredToken } {
  const found = tokens.find(
    (token) => stateOf(token, nowMs) === 'valid' && (token.id === which || token.name === which),
  );
  if (!found)
    throw new CommanderError(
      'failed',
      `no valid token has the id or name ${JSON.stringify(which)}; see svccmd token list`,
    );
  const token = { ...found, revoked_at: new Date(nowMs).toISOString(), revoked_by: by };
  return { tokens: tokens.map((other) => (other === found ? token : other)), token };
}

/** In milliseconds since 1970; Infinity for a token that is not revoked and does not expire. */
function endedAt({ revoked_at, expires_at }: StoredToken): number {
  const ends = [revoked_at, expires_at].flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  return Math.min(Infinity, ...ends);
}
