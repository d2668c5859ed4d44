import { liveRedirectUris, metadataNames, usesSecret } from '@svc/client-metadata';
import type { AdapterPayload } from 'oidc-provider';
import type { ClientDocument } from './client-document.js';
import { secretPlaceholder } from './secret-placeholder.js';

/** Metadata that oidc-provider does not know: what the adapter needs, and what its front-channel logout would need. */
export const NEEDED_PROPERTIES = [
  'redirect_uri_validation_method',
  'code_challenge_method',
  'temporary_redirect_uris',
  'created_at',
  'frontchannel_logout_uri',
  'frontchannel_logout_session_required',
] as const;

/**
 * The fields passed on besides the editable ones. Warnings and secret hints are left out, above all
 * `client_secret_expires_at`: it is that of the newest secret only, while the registry checks each secret's own expiry.
 */
const FIELDS = [
  'client_id',
  'client_id_issued_at',
  'cookie_name',
  'created_at',
  'session_expiration_seconds',
  'temporary_redirect_uris',
] as const;

/** Converts a Client for oidc-provider, which drops properties not declared in `extraClientMetadata`. */
export function toProviderMetadata(client: ClientDocument, now = Date.now()): AdapterPayload {
  const present = [...FIELDS, ...metadataNames(client)].filter((name) => client[name] !== undefined);
  return {
    ...Object.fromEntries(present.map((name) => [name, client[name]])),
    redirect_uris: [...liveRedirectUris(client.redirect_uris, client.temporary_redirect_uris, now)],
    ...(usesSecret(client.token_endpoint_auth_method) && {
      client_secret: secretPlaceholder(client.client_id),
    }),
  };
}
