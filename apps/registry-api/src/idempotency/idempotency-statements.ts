import { PreparedStatement } from '../database/prepared-statement.js';

/** What a key has done. */
export interface Outcome {
  /** The Client that was registered, or got a new secret. */
  readonly clientId?: string | null;
  /** Of anything else, what the answer to a repetition is made of: never a secret. */
  readonly answer?: unknown;
}

/**
 * Takes a key, unless it was taken after `$5`; waits for a transaction that is about to take it. A row comes back when it
 * is taken now. `$1` actor `$2` key `$3` fingerprint `$4` time
 */
export const CLAIM_KEY = new PreparedStatement<{ key: string }>(
  'idempotency_claim_key',
  `INSERT INTO idempotency_key AS k (actor_id, key, fingerprint, created_at)
   VALUES ($1, $2, $3, $4)
   ON CONFLICT (actor_id, key) DO UPDATE
   SET fingerprint = excluded.fingerprint, client_id = NULL, outcome = NULL, created_at = excluded.created_at
   WHERE k.created_at <= $5
   RETURNING key`,
);

/** Notes what a key has done. `$1` actor `$2` key `$3` client_id `$4` outcome */
export const KEEP_OUTCOME = new PreparedStatement<never>(
  'idempotency_keep_outcome',
  `UPDATE idempotency_key SET client_id = $3, outcome = $4::jsonb WHERE actor_id = $1 AND key = $2`,
);

/** What a key was taken for after `$3`. `$1` actor `$2` key */
export const FIND_KEY = new PreparedStatement<Outcome & { readonly fingerprint: Buffer }>(
  'idempotency_find_key',
  `SELECT fingerprint, client_id AS "clientId", outcome AS answer FROM idempotency_key
   WHERE actor_id = $1 AND key = $2 AND created_at > $3`,
);

/** Forgets some keys from before `$1`: more than one new key adds, so that they do not pile up. */
export const FORGET_KEYS = new PreparedStatement<never>(
  'idempotency_forget_keys',
  `DELETE FROM idempotency_key WHERE (actor_id, key) IN (
     SELECT actor_id, key FROM idempotency_key WHERE created_at <= $1
     ORDER BY created_at LIMIT 10 FOR UPDATE SKIP LOCKED
   )`,
);
