import { CLIENT_FIELDS, liveRedirectUris } from '@svc/client-metadata';
import type { AdapterPayload } from 'oidc-provider';
import type { ClientDocument } from './client-document.js';
import { secretPlaceholder } from './secret-placeholder.js';

/** Registry-specific metadata that the adapter needs on oidc-provider's Clients. */
export const NEEDED_PROPERTIES = [
  'redirect_uri_validation_method',
  'code_challenge_method',
  'temporary_redirect_uris',
] as const;

/**
 * The fields passed on. Timestamps, warnings and secret hints are left out, above all `client_secret_expires_at`: it is
 * that of the newest secret only, while the registry checks each secret's own expiry.
 */
const FIELDS: readonly string[] = [
  ...CLIENT_FIELDS.filter(({ editable }) => editable === 'always').map(({ name }) => name),
  ...[
    'client_id',
    'client_id_issued_at',
    'cookie_name',
    'session_expiration_seconds',
    'temporary_redirect_uris',
  ],
];

/** Converts a Client for oidc-provider, which drops properties not declared in `extraClientMetadata`. */
export function toProviderMetadata(client: ClientDocument, now = Date.now()): AdapterPayload {
  const present = FIELDS.filter((name) => client[name] !== undefined);
  return {
    ...Object.fromEntries(present.map((name) => [name, client[name]])),
    redirect_uris: [...liveRedirectUris(client.redirect_uris, client.temporary_redirect_uris, now)],
    ...(client.token_endpoint_auth_method !== 'none' && {
      client_secret: secretPlaceholder(client.client_id),
    }),
  };
}
