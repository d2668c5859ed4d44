import { type Capabilities, CLIENT_FIELDS } from '@svc/client-metadata';
import { toClientDocument } from '../clients/client-document.js';
import type { StoredClient } from '../clients/stored-client.js';

/** What developers may see of a Client: what they may set. Back-channel addresses and the like are the administrator's. */
const PUBLIC_FIELDS: readonly string[] = CLIENT_FIELDS.filter(
  (field) => field.editable === 'always' && field.public !== false,
).map(({ name }) => name);

const IDENTITY = ['client_id', 'client_id_issued_at'];

/** Where and with what the Client is managed (RFC 7592 section 3). */
export interface Management {
  readonly registration_client_uri: string;
  readonly registration_access_token: string;
}

/**
 * A client information response (RFC 7591 section 3.2.1, RFC 7592 section 3).
 *
 * @param secret where this answer is the only one to hold it
 */
export function toRegistrationDocument(
  client: StoredClient,
  capabilities: Capabilities,
  management: Management,
  secret?: string,
): Record<string, unknown> {
  const document: Readonly<Record<string, unknown>> = toClientDocument(client, capabilities);
  // RFC 7591 section 3.2.1: goes with a client_secret, which a Client of the method none does not have.
  const expiry = client.metadata.token_endpoint_auth_method === 'none' ? [] : ['client_secret_expires_at'];
  const shown = [...IDENTITY, ...expiry, ...PUBLIC_FIELDS].filter((name) => document[name] !== undefined);
  return {
    ...Object.fromEntries(shown.map((name) => [name, document[name]])),
    ...(secret !== undefined && { client_secret: secret }),
    ...management,
  };
}
