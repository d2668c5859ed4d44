import {
  type Capabilities,
  CLIENT_FIELDS,
  type ClientMetadata,
  type CurrentClient,
  parseSessionExpiration,
  type Problem,
  warningsOf,
} from '@svc/client-metadata';
import type { StoredClient } from './stored-client.js';

/** A Client as callers see it (RFC 7591 section 3.2.1), without its secret. */
export type ClientDocument = CurrentClient & {
  /** Seconds since 1970. */
  readonly client_id_issued_at: number;
  readonly client_secret_hint?: string;
  /** Seconds since 1970; 0 when it does not expire. */
  readonly client_secret_expires_at?: number;
  readonly cookie_name: string;
  readonly session_expiration_seconds?: number;
  /** RFC 3339, in UTC. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly warnings: readonly Problem[];
};

const METADATA_FIELDS = CLIENT_FIELDS.filter((field) => field.editable === 'always').map(
  (field) => field.name as keyof ClientMetadata,
);

/** The only place that says what a Client looks like outside; metadata stands in the order of the table. */
export function toClientDocument(client: StoredClient, capabilities: Capabilities): ClientDocument {
  const { metadata, createdAt, updatedAt } = client;
  return {
    client_id: client.clientId,
    client_id_issued_at: toSeconds(createdAt),
    ...secretMembers(client),
    ...inTableOrder(metadata),
    ...sessionMembers(metadata),
    cookie_name: client.cookieName,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    warnings: warningsOf(metadata, capabilities),
  };
}

function secretMembers({ secretHint, secretExpiresAt }: StoredClient) {
  if (secretHint === null) return {};
  return {
    client_secret_hint: secretHint,
    client_secret_expires_at: secretExpiresAt ? toSeconds(secretExpiresAt) : 0,
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
