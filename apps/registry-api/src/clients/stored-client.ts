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

/** Selects a `StoredClient` from `client c`; append conditions and order. */
export const SELECT_CLIENT = `
  SELECT c.client_id AS "clientId", c.metadata, c.cookie_name AS "cookieName", c.enabled, c.warnings, c.seq,
         c.created_at AS "createdAt", c.updated_at AS "updatedAt",
         coalesce((
           SELECT json_agg(json_build_object('hint', s.hint, 'createdAt', s.created_at,
             'expiresAt', s.expires_at, 'lastUsedAt', s.last_used_at) ORDER BY s.id DESC)
           FROM client_secret s WHERE s.client_id = c.client_id
         ), '[]') AS secrets
  FROM client c`;
