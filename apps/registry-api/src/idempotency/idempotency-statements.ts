import { PreparedStatement } from '../database/prepared-statement.js';

/**
 * Takes a key, unless it was taken after `$6`; waits for whoever is about to take it. A row comes back when it is taken
 * now. `$1` actor `$2` key `$3` fingerprint `$4` client_id `$5` time
 */
export const CLAIM_KEY = new PreparedStatement<{ key: string }>(
  'idempotency_claim_key',
  `INSERT INTO idempotency_key AS k (actor_id, key, fingerprint, client_id, created_at)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (actor_id, key) DO UPDATE
   SET fingerprint = excluded.fingerprint, client_id = excluded.client_id, created_at = excluded.created_at
   WHERE k.created_at <= $6
   RETURNING key`,
);

/** What a key was taken for after `$3`. `$1` actor `$2` key */
export const FIND_KEY = new PreparedStatement<{ fingerprint: Buffer; clientId: string }>(
  'idempotency_find_key',
  `SELECT fingerprint, client_id AS "clientId" FROM idempotency_key
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
