import { ISSUER_DEADLINE_MS, withDeadline } from '../../api/deadline.js';
import { text } from '../../texts/sign-in.js';

export interface IssuerEndpoints {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint?: string;
  readonly end_session_endpoint?: string;
}

/**
 * Fetches an issuer's endpoints (OpenID Connect Discovery section 4).
 *
 * @throws {Error} with a message for the user, if it does not respond or responds as another issuer
 */
export async function discover(issuer: string): Promise<IssuerEndpoints> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = await fetch(address, { signal: withDeadline(ISSUER_DEADLINE_MS) })
    .then(async (response) => (response.ok ? ((await response.json()) as unknown) : undefined))
    .catch(() => undefined);
  if (!isMetadata(found)) throw new Error(text('issuer.unreachable', { issuer }));
  // OpenID Connect Discovery section 4.3: otherwise one issuer could impersonate another.
  if (found.issuer !== issuer) throw new Error(text('issuer.other', { issuer, other: found.issuer }));
  return found;
}

function isMetadata(value: unknown): value is IssuerEndpoints & { readonly issuer: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['issuer', 'authorization_endpoint', 'token_endpoint'].every(
      (name) => typeof (value as Record<string, unknown>)[name] === 'string',
    )
  );
}
