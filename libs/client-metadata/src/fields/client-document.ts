import type { TemporaryUri } from './temporary-uris.js';
import type { CurrentClient } from './client-metadata.js';
import type { Violation } from '@svc/foundation';

/** A Client in responses (RFC 7591 section 3.2.1), without its secret. */
export type ClientDocument = CurrentClient & {
  /** Seconds since 1970. */
  readonly client_id_issued_at: number;
  /** A disabled Client fails every check. */
  readonly enabled: boolean;
  /** From open registration, and disabled until an administrator enables it. */
  readonly pending?: true;
  readonly client_secret_hint?: string;
  /** Seconds since 1970; 0 if it does not expire. */
  readonly client_secret_expires_at?: number;
  /** Newest first. */
  readonly client_secrets: readonly SecretDocument[];
  /** Absent if all redirect URIs are permanent. */
  readonly temporary_redirect_uris?: readonly TemporaryUri[];
  readonly cookie_name: string;
  readonly session_expiration_seconds?: number;
  /** `users`, `developers`, `import` or `set:<name>`; absent if unknown. */
  readonly managed_by?: string;
  readonly registered_by?: { readonly id: string; readonly name: string };
  /** RFC 3339, in UTC. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly warnings: readonly Violation[];
};

/** Public information about a client_secret. Times are RFC 3339, in UTC. */
export interface SecretDocument {
  /** Its last characters. */
  readonly hint: string;
  readonly created_at: string;
  /** Absent if it never expires. */
  readonly expires_at?: string;
  /** Only in responses without an ETag, accurate to the hour; absent there if never used. */
  readonly last_used_at?: string;
  /** Whether it was imported. */
  readonly imported?: true;
  /** Only in responses without an ETag: how the secret is hashed, after an import of a foreign hash, until it passes a check. */
  readonly imported_hash?: string;
  readonly imported_hash_ends_at?: string;
}
