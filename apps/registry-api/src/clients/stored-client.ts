import type { ClientMetadata } from '@svc/client-metadata';

/** A Client as the database holds it. */
export interface StoredClient {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
  readonly cookieName: string;
  /** Sequence number of its last change: no other state of any Client ever has the same. */
  readonly seq: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The last 4 characters of the newest client_secret. */
  readonly secretHint: string | null;
  /** Null: never. */
  readonly secretExpiresAt: Date | null;
}

/** What a registration adds to the metadata. */
export interface NewCredentials {
  readonly clientId: string;
  readonly cookieName: string;
  readonly secret: string;
}
