import { createHmac, randomBytes } from 'node:crypto';

/** Random per process and never exposed. */
const KEY = randomBytes(32);

/**
 * A stand-in for the client_secret, of which the registry keeps only a hash: oidc-provider requires one for
 * `client_secret_basic` and `client_secret_post`. It cannot be guessed, so where oidc-provider uses the secret as a key
 * (HS256 request objects or ID tokens), verification fails rather than being open to forgery.
 */
export function secretPlaceholder(clientId: string): string {
  return createHmac('sha256', KEY).update(clientId).digest('base64url');
}
