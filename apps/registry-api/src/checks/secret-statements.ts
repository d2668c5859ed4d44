import { PreparedStatement } from '../database/prepared-statement.js';
import type { HashedSecret } from '../secrets/secret-hasher.js';

/** A stored secret that is valid now. */
export interface ValidSecret extends HashedSecret {
  readonly clientId: string;
  readonly id: string;
  /** Null: never. */
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** `$1` client_ids. The newest two of each, which are all that can be valid at once; none of a disabled Client. */
export const VALID_SECRETS = new PreparedStatement<ValidSecret>(
  'check_valid_secrets',
  `SELECT c.client_id AS "clientId", s.*
   FROM client c CROSS JOIN LATERAL (
     SELECT id, hash, pepper_id AS "pepperId", expires_at AS "expiresAt", last_used_at AS "lastUsedAt"
     FROM client_secret WHERE client_id = c.client_id AND (expires_at IS NULL OR expires_at > now())
     ORDER BY id DESC LIMIT 2
   ) s
   WHERE c.client_id = ANY ($1::text[]) AND c.enabled`,
);

/** `$1` id of the secret `$2` now `$3` the time before which the use is worth noting again */
export const NOTE_USE = new PreparedStatement<never>(
  'check_note_secret_use',
  'UPDATE client_secret SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)',
);

/** Takes over the hash under the present pepper. `$1` id of the secret `$2` hash `$3` pepper `$4` the former hash */
export const REHASH = new PreparedStatement<never>(
  'check_rehash_secret',
  'UPDATE client_secret SET hash = $2, pepper_id = $3 WHERE id = $1 AND hash = $4',
);
