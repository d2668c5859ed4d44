import type { ClientMetadata, TemporaryUri } from '@svc/client-metadata';
import { positionIn } from './change-position.js';

/** A Client as the database holds it. */
export interface StoredClient {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
  /** The temporary redirect URIs, perhaps with former ones; null: none. */
  readonly temporaryUris: readonly TemporaryUri[] | null;
  /** Distinct codes of the metadata's warnings; null until they are computed. */
  readonly warnings: readonly string[] | null;
  readonly cookieName: string;
  /** A disabled Client fails every check. */
  readonly enabled: boolean;
  /** Whether it waits for an administrator to enable it: it came through open registration. */
  readonly isPending: boolean;
  /** When it was disabled because it was unused; null: it was not. */
  readonly unusedAt: Date | null;
  /** `users`, `developers`, `import` or `set:<name>`; null if unknown. */
  readonly managedBy: string | null;
  /** Id of the token that registered it; null if unknown. */
  readonly registeredBy: string | null;
  /** That token's name at the time. */
  readonly registeredByName: string | null;
  /** The position of its last change, unique among all states of all Clients. */
  readonly revision: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Newest first, at most two: the previous one may stay valid for a while. */
  readonly secrets: readonly StoredSecret[];
}

/** What may be shown of a client_secret. Times are texts that `Date` parses. */
export interface StoredSecret {
  /** The last 4 characters. */
  readonly hint: string;
  readonly createdAt: string;
  /** Null: never. */
  readonly expiresAt: string | null;
  /** To the hour; null: never. */
  readonly lastUsedAt: string | null;
  /** Whether it was imported. */
  readonly isImported: boolean;
  /** The scheme of another product's hash, and how long that is accepted; null once a check has replaced it. */
  readonly foreignScheme: string | null;
  readonly foreignUntil: string | null;
}

/** The newest secret that checks accept at a time, in milliseconds. */
export function newestAccepted(
  { secrets }: Pick<StoredClient, 'secrets'>,
  at: number,
): StoredSecret | undefined {
  const isOver = (end: string | null) => end !== null && Date.parse(end) <= at;
  return secrets.find(({ expiresAt, foreignUntil }) => !isOver(expiresAt) && !isOver(foreignUntil));
}

/**
 * Selects a `StoredClient` from `client c`; append conditions and order. The secrets are sorted by `-id`, an order that no index has:
 * for `id DESC` PostgreSQL might read the primary key of all secrets instead of finding the Client's.
 */
export const SELECT_CLIENT = `
  SELECT c.client_id AS "clientId", c.metadata, c.temporary_uris AS "temporaryUris", c.cookie_name AS "cookieName", c.enabled,
         c.pending AS "isPending", c.unused_at AS "unusedAt", c.warnings, ${positionIn('c')} AS revision,
         c.managed_by AS "managedBy", c.registered_by AS "registeredBy", c.registered_by_name AS "registeredByName",
         c.created_at AS "createdAt", c.updated_at AS "updatedAt",
         coalesce((
           SELECT json_agg(json_build_object('hint', s.hint, 'createdAt', s.created_at,
             'expiresAt', s.expires_at, 'lastUsedAt', s.last_used_at, 'isImported', s.imported,
             'foreignScheme', s.foreign_scheme, 'foreignUntil', s.foreign_until) ORDER BY -s.id)
           FROM client_secret s WHERE s.client_id = c.client_id
         ), '[]') AS secrets
  FROM client c`;

/**
 * The `StoredClient` with an id, for a LATERAL join. `OFFSET 0` makes PostgreSQL look up each one: while its statistics say
 * that there are no Clients, as after deleting all, it would rather read all of them, each with its secrets, for each row of the join.
 *
 * @param id an expression
 */
export const selectClientOf = (id: string): string => `(${SELECT_CLIENT} WHERE c.client_id = ${id} OFFSET 0)`;
