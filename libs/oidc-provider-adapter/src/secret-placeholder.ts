import { createHmac, randomBytes } from 'node:crypto';

/** Never leaves the process, and dies with it. */
const KEY = randomBytes(32);

/**
 * What stands in the place of a client_secret, which nobody but the Client knows: oidc-provider takes no Client of
 * `client_secret_basic` or `client_secret_post` without one. Nobody can guess it, so nothing that oidc-provider may do
 * with a secret as a key (request objects or ID tokens signed with HS256) can be forged; it only does not work.
 */
export function secretPlaceholder(clientId: string): string {
  return createHmac('sha256', KEY).update(clientId).digest('base64url');
}
