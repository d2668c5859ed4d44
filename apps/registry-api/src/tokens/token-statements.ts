import { PreparedStatement } from '../database/prepared-statement.js';
import type { ApiToken } from './api-token.entity.js';

/** A token that can be used: `$1` is the time. */
const LIVING = 't.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $1)';

const SELECT_TOKEN = `SELECT t.id, t.name, t.hash, t.scopes, t.created_at AS "createdAt", t.created_by AS "createdBy",
         t.issuer, t.subject, t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt", t.last_used_at AS "lastUsedAt"
  FROM api_token t`;

/** Those that can be used, newest first. `$1` the time */
export const LIVING_TOKENS = new PreparedStatement<ApiToken>(
  'api_tokens_living',
  `${SELECT_TOKEN} WHERE ${LIVING} ORDER BY t.created_at DESC, t.id DESC`,
);

/** Those that were revoked or have expired, newest first. `$1` the time `$2` the token before the page, or null `$3` limit */
export const ENDED_TOKENS = new PreparedStatement<ApiToken>(
  'api_tokens_ended',
  `${SELECT_TOKEN} WHERE NOT (${LIVING})
     AND ($2::text IS NULL OR (t.created_at, t.id) < (SELECT b.created_at, b.id FROM api_token b WHERE b.id = $2))
   ORDER BY t.created_at DESC, t.id DESC LIMIT $3`,
);

/** What a token has made, and what that has made, and so on, as far as it can be used. `$1` the time `$2` id */
export const LIVING_DESCENDANTS = new PreparedStatement<ApiToken>(
  'api_tokens_descendants',
  `WITH RECURSIVE line AS (
     SELECT id FROM api_token WHERE created_by = $2
     UNION
     SELECT made.id FROM api_token made JOIN line ON made.created_by = line.id
   )
   ${SELECT_TOKEN} JOIN line USING (id) WHERE ${LIVING} ORDER BY t.created_at DESC, t.id DESC`,
);

/**
 * Revokes what can be used of `$2`, a list of ids, at `$1`. The hash is replaced by its own hash: nothing finds a revoked
 * token any more, not even a former version that does not know the column. The former hash comes back.
 */
export const REVOKE_TOKENS = new PreparedStatement<{ id: string; formerHash: Buffer }>(
  'api_tokens_revoke',
  `WITH former AS (
     SELECT t.id, t.hash FROM api_token t WHERE t.id = ANY ($2::text[]) AND ${LIVING} ORDER BY t.id FOR UPDATE
   )
   UPDATE api_token t SET revoked_at = $1, hash = sha256(t.hash) FROM former WHERE t.id = former.id
   RETURNING t.id, former.hash AS "formerHash"`,
);

/** Keeps a token from being revoked until the transaction ends; no row when it has ended. `$1` the time `$2` id */
export const HOLD_TOKEN = new PreparedStatement<{ expiresAt: Date | null }>(
  'api_tokens_hold',
  `SELECT t.expires_at AS "expiresAt" FROM api_token t WHERE t.id = $2 AND ${LIVING} FOR SHARE`,
);

/** `$1` the time */
export const COUNT_LIVING_TOKENS = new PreparedStatement<{ count: number }>(
  'api_tokens_count_living',
  `SELECT count(*)::int AS count FROM api_token t WHERE ${LIVING}`,
);

/**
 * Forgets some tokens that ended before `$1`: more than one new token adds, so that they do not pile up. One that made
 * others stays as long as they do, so that their line can be followed.
 */
export const FORGET_TOKENS = new PreparedStatement<never>(
  'api_tokens_forget',
  `DELETE FROM api_token WHERE id IN (
     SELECT t.id FROM api_token t
     WHERE least(t.revoked_at, t.expires_at) < $1
       AND NOT EXISTS (SELECT FROM api_token made WHERE made.created_by = t.id)
     LIMIT 100 FOR UPDATE SKIP LOCKED
   )`,
);

/** `$1` id `$2` name `$3` hash `$4` scopes `$5` created_at `$6` created_by `$7` issuer `$8` subject `$9` expires_at */
export const INSERT_TOKEN = new PreparedStatement<never>(
  'api_tokens_insert',
  `INSERT INTO api_token (id, name, hash, scopes, created_at, created_by, issuer, subject, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
