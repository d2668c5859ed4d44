import { PreparedStatement } from '../database/prepared-statement.js';
import type { HashedSecret } from '../secrets/secret-hasher.js';
import { SELECT_CLIENT } from './select-client.js';
import type { StoredClient } from './stored-client.js';

/** `$1` client_ids */
export const FIND = new PreparedStatement<StoredClient>(
  'clients_find',
  `${SELECT_CLIENT} WHERE c.client_id = ANY ($1::text[])`,
);

/** `$1` client_id */
export const SECRETS = new PreparedStatement<HashedSecret>(
  'client_secrets',
  `SELECT hash, pepper_id AS "pepperId" FROM client_secret
   WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now()) ORDER BY id`,
);

/** Locks Clients until the transaction ends, in one order, so that no two wait for each other. `$1` client_ids */
export const LOCK = new PreparedStatement<StoredClient>(
  'clients_lock',
  `${SELECT_CLIENT} WHERE c.client_id = ANY ($1::text[]) ORDER BY c.client_id FOR UPDATE OF c`,
);
