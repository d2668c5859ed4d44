import { text } from '../../texts/text.js';

/** Where an issuer is asked for what. */
export interface IssuerEndpoints {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

/**
 * Asks an issuer for its addresses (OpenID Connect Discovery section 4).
 *
 * @throws {Error} for people, when it does not answer or answers for another issuer
 */
export async function discover(issuer: string): Promise<IssuerEndpoints> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = await fetch(address)
    .then(async (response) => (response.ok ? ((await response.json()) as unknown) : undefined))
    .catch(() => undefined);
  if (!isMetadata(found)) throw new Error(text('issuer.unreachable', { issuer }));
  // OpenID Connect Discovery section 4.3: otherwise one issuer could speak for another.
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
