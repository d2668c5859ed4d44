import { CLIENT_FIELDS } from '@svc/client-metadata';
import type { AdapterPayload } from 'oidc-provider';
import type { ClientDocument } from './client-document.js';
import { secretPlaceholder } from './secret-placeholder.js';

/** Metadata of ours that oidc-provider does not know and that the adapter needs at a Client. */
export const NEEDED_PROPERTIES = ['redirect_uri_validation_method', 'code_challenge_method'] as const;

/**
 * What a Client consists of. All else that the registry tells (times, warnings, hints of secrets) is not for
 * oidc-provider: `client_secret_expires_at` above all is that of the newest secret, and the registry judges each.
 */
const FIELDS: readonly string[] = [
  ...CLIENT_FIELDS.filter(({ editable }) => editable === 'always').map(({ name }) => name),
  ...['client_id', 'client_id_issued_at', 'cookie_name', 'session_expiration_seconds'],
];

/** A Client as oidc-provider takes it. It drops the properties that it was not told of (`extraClientMetadata`). */
export function toProviderMetadata(client: ClientDocument): AdapterPayload {
  const present = FIELDS.filter((name) => client[name] !== undefined);
  return {
    ...Object.fromEntries(present.map((name) => [name, client[name]])),
    ...(client.token_endpoint_auth_method !== 'none' && {
      client_secret: secretPlaceholder(client.client_id),
    }),
  };
}
