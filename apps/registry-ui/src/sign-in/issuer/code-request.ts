import { base64url, randomText } from '../../api/random-text.js';
import type { IssuerSignIn } from '../../api/settings.js';
import { text } from '../../texts/sign-in.js';
import { discover } from './discovery.js';
import { RETURN_PATH } from './return-path.js';

/** State kept between requesting a code and redeeming it. */
export interface CodeRequest {
  readonly state: string;
  /** PKCE code_verifier with the 256 bits recommended by RFC 7636 section 4.1. */
  readonly verifier: string;
  readonly tokenEndpoint: string;
  readonly redirectUri: string;
}

/**
 * Prepares an authorization request with PKCE (RFC 7636).
 *
 * @returns the state to keep, and the issuer's URL to open
 * @throws {Error} with a message for the user, if the issuer cannot be reached
 */
export async function createCodeRequest(
  oidc: IssuerSignIn,
): Promise<{ readonly request: CodeRequest; readonly address: string }> {
  // Browsers compute hashes only in secure contexts: https, or localhost.
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
