import type { ClientMetadata } from '@svc/client-metadata';

/** A Client as the database holds it. */
export interface StoredClient {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
  /** Codes of the metadata's warnings, each once; null until they are judged. */
  readonly warnings: readonly string[] | null;
  readonly cookieName: string;
  /** A disabled Client fails every check. */
  readonly enabled: boolean;
  /** Sequence number of its last change: no other state of any Client ever has the same. */
  readonly seq: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Newest first, two at most: a former one may be valid for a while besides. */
  readonly secrets: readonly StoredSecret[];
}

/** What people may know of a client_secret. Times are texts that `Date` reads. */
export interface StoredSecret {
  /** The last 4 characters. */
  readonly hint: string;
  readonly createdAt: string;
  /** Null: never. */
  readonly expiresAt: string | null;
  /** Known to the hour; null: never. */
  readonly lastUsedAt: string | null;
}
