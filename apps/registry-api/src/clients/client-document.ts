import {
  type Capabilities,
  CLIENT_FIELDS,
  type ClientMetadata,
  type CurrentClient,
  parseSessionExpiration,
  type Problem,
  warningsOf,
} from '@svc/client-metadata';
import type { StoredClient, StoredSecret } from './stored-client.js';

/** A Client as callers see it (RFC 7591 section 3.2.1), without its secret. */
export type ClientDocument = CurrentClient & {
  /** Seconds since 1970. */
  readonly client_id_issued_at: number;
  readonly enabled: boolean;
  readonly client_secret_hint?: string;
  /** Seconds since 1970; 0 when it does not expire. */
  readonly client_secret_expires_at?: number;
  /** Newest first. */
  readonly client_secrets: readonly SecretDocument[];
  readonly cookie_name: string;
  readonly session_expiration_seconds?: number;
  /** RFC 3339, in UTC. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly warnings: readonly Problem[];
};

/** What is told of a client_secret. Times are RFC 3339, in UTC. */
export interface SecretDocument {
  readonly hint: string;
  readonly created_at: string;
  readonly expires_at?: string;
  readonly last_used_at?: string;
}

const METADATA_FIELDS = CLIENT_FIELDS.filter((field) => field.editable === 'always').map(
  (field) => field.name as keyof ClientMetadata,
);

/** The only place that says what a Client looks like outside; metadata stands in the order of the table. */
export function toClientDocument(client: StoredClient, capabilities: Capabilities): ClientDocument {
  const { metadata, createdAt, updatedAt } = client;
  return {
    client_id: client.clientId,
    client_id_issued_at: toSeconds(createdAt),
    enabled: client.enabled,
    ...secretMembers(client),
    ...inTableOrder(metadata),
    ...sessionMembers(metadata),
    cookie_name: client.cookieName,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    warnings: warningsIn(client, capabilities),
  };
}

/** Only the codes are stored: where there are any, the metadata is judged again for the words. */
function warningsIn({ metadata, warnings }: StoredClient, capabilities: Capabilities): Problem[] {
  return warnings?.length === 0 ? [] : warningsOf(metadata, capabilities);
}

function secretMembers({ secrets }: StoredClient) {
  const [newest] = secrets;
  const list = { client_secrets: secrets.map(toSecretDocument) };
  if (!newest) return list;
  const { hint, expiresAt } = newest;
  const expires = expiresAt === null ? 0 : toSeconds(new Date(expiresAt));
  return { client_secret_hint: hint, client_secret_expires_at: expires, ...list };
}

function toSecretDocument({ hint, createdAt, expiresAt, lastUsedAt }: StoredSecret): SecretDocument {
  return {
    hint,
    created_at: new Date(createdAt).toISOString(),
    ...(expiresAt !== null && { expires_at: new Date(expiresAt).toISOString() }),
    ...(lastUsedAt !== null && { last_used_at: new Date(lastUsedAt).toISOString() }),
  };
}

function inTableOrder(metadata: ClientMetadata): ClientMetadata {
  const present = METADATA_FIELDS.filter((name) => metadata[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, metadata[name]])) as ClientMetadata;
}

function sessionMembers({ session_expiration: given }: ClientMetadata) {
  const seconds = given === undefined ? undefined : parseSessionExpiration(given);
  return typeof seconds === 'number' ? { session_expiration_seconds: seconds } : {};
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
