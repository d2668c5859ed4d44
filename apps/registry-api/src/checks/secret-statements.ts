import { PreparedStatement } from '../database/prepared-statement.js';
import type { HashedSecret } from '../secrets/secret-hasher.js';

/** A stored secret that is valid now. */
export interface ValidSecret extends HashedSecret {
  readonly id: string;
  /** Null: never. */
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** `$1` client_id. The newest two, which are all that can be valid at once. */
export const VALID_SECRETS = new PreparedStatement<ValidSecret>(
  'check_valid_secrets',
  `SELECT id, hash, pepper_id AS "pepperId", expires_at AS "expiresAt", last_used_at AS "lastUsedAt"
   FROM client_secret
   WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now())
   ORDER BY client_secret.id DESC LIMIT 2`,
);

/** `$1` id of the secret `$2` now `$3` the time before which the use is worth noting again */
export const NOTE_USE = new PreparedStatement<never>(
  'check_note_secret_use',
  'UPDATE client_secret SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)',
);
