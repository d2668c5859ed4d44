import { randomBytes, hash } from 'node:crypto';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';
import type { ApiToken } from './api-token.entity.js';
import type { Scope } from './scopes.js';
import { isRestricted, type TokenRestrictions } from './token-restrictions.js';

/** A usable token: `$1` is the time. */
export const LIVING = 't.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $1)';

const SELECT_TOKEN = `SELECT t.id, t.name, t.hash, t.scopes, t.created_at AS "createdAt", t.created_by AS "createdBy",
         t.issuer, t.subject, t.by_restricted_user AS "byRestrictedUser", t.expires_at AS "expiresAt",
         t.revoked_at AS "revokedAt", t.last_used_at AS "lastUsedAt",
         t.selector, t.networks, t.max_uses AS "maxUses", t.uses, t.expiry_recorded AS "expiryRecorded",
         t.max_registrations AS "maxRegistrations", t.registrations_per_day AS "registrationsPerDay", t.registrations,
         t.registration_day AS "registrationDay", t.registrations_on_day AS "registrationsOnDay"
  FROM api_token t`;

/** `$1` hash */
export const TOKEN_BY_HASH = new PreparedStatement<ApiToken>(
  'api_tokens_by_hash',
  `${SELECT_TOKEN} WHERE t.hash = $1`,
  'credentials',
);

/** `$1` id */
export const TOKEN_BY_ID = new PreparedStatement<ApiToken>(
  'api_tokens_by_id',
  `${SELECT_TOKEN} WHERE t.id = $1`,
);

/** Usable tokens, newest first. `$1` the time */
export const LIVING_TOKENS = new PreparedStatement<ApiToken>(
  'api_tokens_living',
  `${SELECT_TOKEN} WHERE ${LIVING} ORDER BY t.created_at DESC, t.id DESC`,
);

/** Revoked and expired tokens, newest first. `$1` the time `$2` the token before the page, or null `$3` limit */
export const ENDED_TOKENS = new PreparedStatement<ApiToken>(
  'api_tokens_ended',
  `${SELECT_TOKEN} WHERE NOT (${LIVING})
     AND ($2::text IS NULL OR (t.created_at, t.id) < (SELECT b.created_at, b.id FROM api_token b WHERE b.id = $2))
   ORDER BY t.created_at DESC, t.id DESC LIMIT $3`,
);

/**
 * The tokens created with a token, directly or through others: the CTE `line`.
 *
 * @param issuer of the access token whose user `id` stands for, since other issuers may have a user with the same `sub`;
 *   null for an API token
 * @param condition of those that it created itself
 */
export const lineCte = (id: string, issuer: string, condition = 'true') => `
  line AS (
     SELECT id FROM api_token
     WHERE created_by = ${id} AND issuer IS NOT DISTINCT FROM ${issuer}::text AND ${condition}
     UNION
     SELECT made.id FROM api_token made JOIN line ON made.created_by = line.id
   )`;

/** The usable tokens created with a token, those created with them, and so on. `$1` the time `$2` id `$3` issuer */
export const LIVING_DESCENDANTS = new PreparedStatement<ApiToken>(
  'api_tokens_descendants',
  `WITH RECURSIVE ${lineCte('$2', '$3')}
   ${SELECT_TOKEN} JOIN line USING (id) WHERE ${LIVING} ORDER BY t.created_at DESC, t.id DESC`,
);

/** `ENDED_TOKENS` among those created with a token, and so on. `$4` its id `$5` issuer */
export const ENDED_DESCENDANTS = new PreparedStatement<ApiToken>(
  'api_tokens_ended_descendants',
  `WITH RECURSIVE ${lineCte('$4', '$5')}
   ${SELECT_TOKEN} JOIN line USING (id) WHERE NOT (${LIVING})
     AND ($2::text IS NULL OR (t.created_at, t.id) < (SELECT b.created_at, b.id FROM api_token b WHERE b.id = $2))
   ORDER BY t.created_at DESC, t.id DESC LIMIT $3`,
);

/** One row if the token `$1` was created with `$2` of the issuer `$3`, directly or through others. */
export const IS_DESCENDANT = new PreparedStatement<{ isDescendant: boolean }>(
  'api_tokens_is_descendant',
  `WITH RECURSIVE ${lineCte('$2', '$3')} SELECT true AS "isDescendant" FROM line WHERE id = $1`,
);

/**
 * Counts a use of a token with a limit; no row when it has ended. The last use ends it. `$1` the time `$2` id
 */
export const COUNT_USE = new PreparedStatement<{ id: string }>(
  'api_tokens_count_use',
  `UPDATE api_token t
   SET uses = t.uses + 1,
       expires_at = CASE WHEN t.uses + 1 >= t.max_uses THEN least(t.expires_at, $1) ELSE t.expires_at END
   WHERE t.id = $2 AND t.uses < t.max_uses AND ${LIVING} RETURNING t.id`,
);

/**
 * Revokes the usable tokens among the ids `$2` at `$1`, and returns their former hashes. The hash is replaced by its own
 * hash, so that an earlier version, which does not know `revoked_at`, cannot find a revoked token either.
 */
export const REVOKE_TOKENS = new PreparedStatement<{ id: string; formerHash: Buffer }>(
  'api_tokens_revoke',
  `WITH former AS (
     SELECT t.id, t.hash FROM api_token t WHERE t.id = ANY ($2::text[]) AND ${LIVING} ORDER BY t.id FOR UPDATE
   )
   UPDATE api_token t SET revoked_at = $1, hash = sha256(t.hash) FROM former WHERE t.id = former.id
   RETURNING t.id, former.hash AS "formerHash"`,
);

/** A chain of tokens, each created with the one before, has at most this many; those of earlier versions may be longer. */
export const MAX_CHAIN = 50;

/** How many tokens there are from `$1` up to the first of its chain, counted no further than `MAX_CHAIN`. */
export const CHAIN_LENGTH = new PreparedStatement<{ length: number }>(
  'api_tokens_chain_length',
  `WITH RECURSIVE chain AS (
     SELECT t.created_by, 1 AS length FROM api_token t WHERE t.id = $1
     UNION ALL
     SELECT t.created_by, chain.length + 1 FROM chain JOIN api_token t ON t.id = chain.created_by
     WHERE chain.length < ${MAX_CHAIN}
   )
   SELECT max(length) AS length FROM chain`,
);

/** Keeps a token from being revoked until the transaction ends; no row when it has ended. `$1` the time `$2` id */
export const HOLD_TOKEN = new PreparedStatement<{ expiresAt: Date | null }>(
  'api_tokens_hold',
  `SELECT t.expires_at AS "expiresAt" FROM api_token t WHERE t.id = $2 AND ${LIVING} FOR SHARE`,
);

/** Marks up to 100 tokens that expired by `$1` without being revoked, and returns them. */
export const TAKE_EXPIRED = new PreparedStatement<
  Pick<ApiToken, 'id' | 'name' | 'uses' | 'maxUses'> & { readonly expiresAt: Date }
>(
  'api_tokens_take_expired',
  `UPDATE api_token t SET expiry_recorded = true
   FROM (
     SELECT id FROM api_token WHERE NOT expiry_recorded AND revoked_at IS NULL AND expires_at <= $1
     ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
   ) due
   WHERE t.id = due.id
   RETURNING t.id, t.name, t.uses, t.max_uses AS "maxUses", t.expires_at AS "expiresAt"`,
);

/**
 * Deletes up to 100 tokens that ended before `$1`: more than one insert adds, so that they do not pile up. A token that
 * created others stays as long as they do, to keep their lineage.
 */
const DELETE_OLD_TOKENS = new PreparedStatement<never>(
  'api_tokens_delete_old',
  `DELETE FROM api_token WHERE id IN (
     SELECT t.id FROM api_token t
     WHERE least(t.revoked_at, t.expires_at) < $1
       AND NOT EXISTS (SELECT FROM api_token made WHERE made.created_by = t.id)
     LIMIT 100 FOR UPDATE SKIP LOCKED
   )`,
);

/**
 * `$1` id `$2` name `$3` hash `$4` scopes `$5` created_at `$6` created_by `$7` issuer `$8` subject `$9` expires_at
 * `$10` selector, as JSON `$11` networks `$12` max_uses `$13` max_registrations `$14` registrations_per_day
 * `$15` by_restricted_user
 */
const INSERT_TOKEN = new PreparedStatement<never>(
  'api_tokens_insert',
  `INSERT INTO api_token (id, name, hash, scopes, created_at, created_by, issuer, subject, expires_at, selector,
                          networks, max_uses, max_registrations, registrations_per_day, by_restricted_user)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12, $13, $14, $15)`,
);

/** The token to create. */
export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Seconds from now; as long as its creator allows when absent. */
  readonly lifetime?: number | undefined;
  readonly restrictions: TokenRestrictions;
}

/** Who creates a token, and how long it may last. */
export interface TokenCreator {
  /** Id of the creating token, or `oidc:` and a subject, or `shell`. */
  readonly createdBy: string;
  /** Only with an issuer's access token. */
  readonly issuer?: string | undefined;
  readonly subject?: string | undefined;
  /** That it is a user of an issuer who reaches only some Clients. */
  readonly isRestrictedUser?: boolean;
  /** The new token expires no later; absent: it need not expire. */
  readonly latestEnd?: Date | undefined;
}

/** A new token, and its value, which cannot be read again. */
export interface TokenWithValue {
  readonly token: ApiToken;
  readonly value: string;
}

/**
 * Creates a token without checking permissions or limits.
 *
 * @param times when it is created; tokens that ended before `keptFrom` may be deleted
 */
export async function createToken(
  transaction: Transaction,
  { name, scopes, lifetime, restrictions }: NewToken,
  creator: TokenCreator,
  { now, keptFrom }: { readonly now: Date; readonly keptFrom: Date },
): Promise<TokenWithValue> {
  await DELETE_OLD_TOKENS.run(transaction, [keptFrom]);
  const value = newTokenValue(isRestricted(restrictions));
  const token = await insertToken(transaction, {
    name,
    hash: hashTokenValue(value),
    scopes: [...scopes],
    createdAt: now,
    createdBy: creator.createdBy,
    issuer: creator.issuer ?? null,
    subject: creator.subject ?? null,
    byRestrictedUser: creator.isRestrictedUser ?? false,
    expiresAt: endOf(now, lifetime, creator.latestEnd),
    ...restrictions,
  });
  return { token, value };
}

/** The state of a new token. */
const UNUSED = {
  ...{ revokedAt: null, lastUsedAt: null, expiryRecorded: false },
  ...{ uses: 0, registrations: 0, registrationDay: null, registrationsOnDay: 0 },
};

/** Stores a token, whose id is new. */
export async function insertToken(
  transaction: Transaction,
  given: Omit<ApiToken, 'id' | keyof typeof UNUSED>,
): Promise<ApiToken> {
  const token = { ...given, id: randomBytes(8).toString('hex'), ...UNUSED };
  await INSERT_TOKEN.run(transaction, [
    ...[token.id, token.name, token.hash, token.scopes, token.createdAt],
    ...[token.createdBy, token.issuer, token.subject, token.expiresAt],
    ...[token.selector && JSON.stringify(token.selector), token.networks, token.maxUses],
    ...[token.maxRegistrations, token.registrationsPerDay, token.byRestrictedUser],
  ]);
  return token;
}

/** @returns null: never */
function endOf(now: Date, lifetime: number | undefined, latestEnd: Date | undefined): Date | null {
  const wanted = lifetime === undefined ? undefined : new Date(now.getTime() + lifetime * 1_000);
  if (!wanted || !latestEnd) return wanted ?? latestEnd ?? null;
  return wanted < latestEnd ? wanted : latestEnd;
}

/** Identifies a leaked value to users and secret scanners. */
const PREFIX = 'svcr_';

/** Begins the values of restricted tokens. */
const RESTRICTED_PREFIX = 'svcrn_';

/** A new token: 256 random bits behind a prefix. */
export function newTokenValue(isRestricted = false): string {
  return (isRestricted ? RESTRICTED_PREFIX : PREFIX) + randomBytes(32).toString('base64url');
}

/**
 * Tokens are stored and found by this hash. For a restricted token, it differs from what earlier versions compute: they ignore
 * restrictions, so they must not find it.
 */
export function hashTokenValue(value: string): Buffer {
  return hash('sha256', value.startsWith(RESTRICTED_PREFIX) ? `restricted ${value}` : value, 'buffer');
}
