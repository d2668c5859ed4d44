import {
  type Capabilities,
  type ClientDocument,
  type ClientMetadata,
  metadataNames,
  parseSessionExpiration,
  type Violation,
  warningsOf,
} from '@svc/client-metadata';
import { toSecretDocument, toUsedSecrets } from './client-secrets.dto.js';
import type { StoredClient } from './stored-client.js';
import { currentTemporaryUris } from './temporary-uris.js';

/**
 * The only place that defines how callers see a client; its metadata is in the order of the table. The document belongs to the
 * ETag, so it does not contain the last use of secrets.
 */
export function toClientDocument(client: StoredClient, capabilities: Capabilities): ClientDocument {
  const { metadata, createdAt, updatedAt } = client;
  return {
    client_id: client.clientId,
    client_id_issued_at: toSeconds(createdAt),
    enabled: client.enabled,
    ...(client.isPending && { pending: true }),
    ...secretMembers(client),
    ...inTableOrder(metadata),
    ...temporaryMembers(client),
    ...sessionMembers(metadata),
    cookie_name: client.cookieName,
    ...originMembers(client),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    warnings: warningsIn(client, capabilities),
  };
}

/** A client in lists and exports, which have no ETag, so it contains the last use of its secrets. */
export function toListedClient(client: StoredClient, capabilities: Capabilities): ClientDocument {
  return { ...toClientDocument(client, capabilities), client_secrets: toUsedSecrets(client) };
}

/** A Client for callers that may not see who registered it. */
export function withoutActors({ registered_by: _, ...document }: ClientDocument): ClientDocument {
  // Safe: the member is optional, but the index signature hides that.
  return document as unknown as ClientDocument;
}

/** Only the codes are stored; the messages are recomputed if there are any. */
function warningsIn({ metadata, warnings }: StoredClient, capabilities: Capabilities): Violation[] {
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

function inTableOrder(metadata: ClientMetadata): ClientMetadata {
  const values = new Map(Object.entries(metadata));
  const inOrder = metadataNames(metadata).map((name) => [name, values.get(name)]);
  return Object.fromEntries(inOrder) as ClientMetadata;
}

function temporaryMembers(client: StoredClient): Pick<ClientDocument, 'temporary_redirect_uris'> {
  const uris = currentTemporaryUris(client);
  return uris ? { temporary_redirect_uris: uris } : {};
}

function sessionMembers({ session_expiration: given }: ClientMetadata) {
  const seconds = given === undefined ? undefined : parseSessionExpiration(given);
  return typeof seconds === 'number' ? { session_expiration_seconds: seconds } : {};
}

/** Absent for Clients registered before these were recorded. */
function originMembers({ managedBy, registeredBy, registeredByName }: StoredClient) {
  return {
    ...(managedBy !== null && { managed_by: managedBy }),
    ...(registeredBy !== null && { registered_by: { id: registeredBy, name: registeredByName ?? '' } }),
  };
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
