import { base64url, randomText } from '../../api/random-text.js';
import type { IssuerSignIn } from '../../api/settings.js';
import { text } from '../../texts/text.js';

/** The console's address that the issuer sends people back to: to be registered there. */
export const RETURN_PATH = '/ui/signed-in';

/** What must be kept from asking for a code until it is redeemed. */
export interface CodeRequest {
  readonly state: string;
  /** PKCE's code_verifier, of the 256 bits that RFC 7636 section 4.1 recommends. */
  readonly verifier: string;
  readonly tokenEndpoint: string;
  readonly redirectUri: string;
}

/**
 * Prepares an authorization request with PKCE (RFC 7636).
 *
 * @returns what to keep, and the issuer's address that people are sent to
 * @throws {Error} for people, when the issuer cannot be asked
 */
export async function createCodeRequest(
  oidc: IssuerSignIn,
): Promise<{ readonly request: CodeRequest; readonly address: string }> {
  // Browsers compute hashes for pages that came over https, or from this machine, alone.
  if (!globalThis.isSecureContext) throw new Error(text('issuer.insecure'));
  const endpoints = await discover(oidc.issuer);
  const request: CodeRequest = {
    state: randomText(),
    verifier: randomText(),
    tokenEndpoint: endpoints.token_endpoint,
    redirectUri: location.origin + RETURN_PATH,
  };
  const address = new URL(endpoints.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: oidc.client_id,
    redirect_uri: request.redirectUri,
    scope: oidc.scope,
    state: request.state,
    code_challenge: await challengeOf(request.verifier),
    code_challenge_method: 'S256',
    ...(oidc.resource !== undefined && { resource: oidc.resource }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return { request, address: address.href };
}

async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

/** Where an issuer is asked for what. */
interface IssuerEndpoints {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

/**
 * Asks an issuer for its addresses (OpenID Connect Discovery section 4).
 *
 * @throws {Error} for people, when it does not answer or answers for another issuer
 */
async function discover(issuer: string): Promise<IssuerEndpoints> {
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
