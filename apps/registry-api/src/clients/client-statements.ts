import { PreparedStatement } from '../database/prepared-statement.js';
import type { StoredClient } from './stored-client.js';

/** Columns under the names of `StoredClient`. */
const CLIENT = `
  SELECT c.client_id AS "clientId", c.metadata, c.cookie_name AS "cookieName", c.seq,
         c.created_at AS "createdAt", c.updated_at AS "updatedAt",
         s.hint AS "secretHint", s.expires_at AS "secretExpiresAt"
  FROM client c
  LEFT JOIN LATERAL (
    SELECT hint, expires_at FROM client_secret WHERE client_id = c.client_id ORDER BY id DESC LIMIT 1
  ) s ON true`;

/** `$1` client_id */
export const FIND = new PreparedStatement<StoredClient>('client_find', `${CLIENT} WHERE c.client_id = $1`);

/** `$1` limit */
export const FIRST_PAGE = new PreparedStatement<StoredClient>(
  'client_first_page',
  `${CLIENT} ORDER BY c.created_at, c.client_id LIMIT $1`,
);

/** `$1` limit, `$2` created_at and `$3` client_id of the last one seen */
export const NEXT_PAGE = new PreparedStatement<StoredClient>(
  'client_next_page',
  `${CLIENT} WHERE (c.created_at, c.client_id) > ($2, $3) ORDER BY c.created_at, c.client_id LIMIT $1`,
);

/** `$1` client_id */
export const SECRETS = new PreparedStatement<{ hash: Buffer; pepperId: string }>(
  'client_secrets',
  `SELECT hash, pepper_id AS "pepperId" FROM client_secret
   WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now()) ORDER BY id`,
);

/*
 * Each change below is one statement, so it is one transaction and one way to the server and back: what it does to the
 * Client and the row of its history come about together or not at all. No row comes back when there was nothing to do.
 */

const REGISTRATION = `
  WITH made AS (
     INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at)
     VALUES ($1, $2, $3, nextval('client_change_seq'), $4, $4)
     ON CONFLICT (client_id) DO NOTHING
     RETURNING client_id, seq, metadata
   ), secret AS (
     INSERT INTO client_secret (client_id, hash, pepper_id, hint, created_at)
     SELECT client_id, $5, $6, $7, $4 FROM made
   ), change AS (
     INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address, after)
     SELECT seq, client_id, 'registered', $4, $8, $9, $10, metadata FROM made
   )`;

/** `$1` client_id `$2` metadata `$3` cookie_name `$4` time `$5` hash `$6` pepper `$7` hint `$8`–`$10` actor */
export const REGISTER = new PreparedStatement<{ seq: string }>(
  'client_register',
  `${REGISTRATION}
   SELECT seq FROM made`,
);

/** As `REGISTER`, and `$11` hash of the registration access token */
export const REGISTER_WITH_TOKEN = new PreparedStatement<{ seq: string }>(
  'client_register_with_token',
  `${REGISTRATION}, registration AS (
     INSERT INTO client_registration (client_id, token_hash)
     SELECT client_id, $11 FROM made
   )
   SELECT seq FROM made`,
);

/** `$1` client_id `$2` its seq `$3` new metadata `$4` time `$5`–`$7` actor `$8` metadata before */
export const REPLACE = new PreparedStatement<{ seq: string }>(
  'client_replace',
  `WITH changed AS (
     UPDATE client SET metadata = $3, seq = nextval('client_change_seq'), updated_at = $4
     WHERE client_id = $1 AND seq = $2
     RETURNING client_id, seq, metadata
   ), change AS (
     INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address, before, after)
     SELECT seq, client_id, 'updated', $4, $5, $6, $7, $8, metadata FROM changed
   )
   SELECT seq FROM changed`,
);

/** `$1` client_id `$2` its seq `$3` time `$4`–`$6` actor */
export const REMOVE = new PreparedStatement<{ seq: string }>(
  'client_remove',
  `WITH removed AS (
     DELETE FROM client WHERE client_id = $1 AND seq = $2
     RETURNING client_id, metadata
   )
   INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address, before)
   SELECT nextval('client_change_seq'), client_id, 'deleted', $3, $4, $5, $6, metadata FROM removed
   RETURNING seq`,
);
