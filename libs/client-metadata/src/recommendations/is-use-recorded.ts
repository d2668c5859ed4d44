import { usesSecret } from '../fields/authentication-methods.js';
import type { Capabilities } from '../fields/capabilities.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { usesCookieAuthorization } from '../validation/client-warnings.js';

/** Grants whose every use begins with an authorization request. */
const REQUESTED_GRANTS: readonly string[] = ['authorization_code', 'implicit'];

/**
 * Whether all uses of a Client are authorization requests or checks of its secret, which are recorded. Others leave no trace: a
 * server may verify assertions without the registry, a public Client refresh tokens, and a browser send a cookie.
 */
export function isUseRecorded(metadata: ClientMetadata, capabilities: Capabilities): boolean {
  const { token_endpoint_auth_method: method, grant_types: grants } = metadata;
  if (usesCookieAuthorization(metadata, capabilities)) return false;
  return (
    usesSecret(method) || (method === 'none' && grants.every((grant) => REQUESTED_GRANTS.includes(grant)))
  );
}
