import type { Principal, TokenVerifier } from '@svc/service-kit';

/** Nest's injection token for the verifier of an issuer's access tokens; nothing is there when none is configured. */
export const ACCESS_TOKENS = Symbol('AccessTokens');

/** The compact serialization of a signed JWT (RFC 7515 section 7.1): its header, a JSON object, begins with `{"`. */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

/** Takes the registry's own API tokens and, where an issuer is configured, its access tokens. */
export class AnyTokenVerifier implements TokenVerifier {
  /** @param accessTokens absent when no issuer is configured */
  constructor(
    private readonly apiTokens: TokenVerifier,
    private readonly accessTokens?: TokenVerifier,
  ) {}

  async verify(token: string): Promise<Principal | undefined> {
    // Asked first, so that a request with an access token costs no query.
    const principal = JWT.test(token) ? await this.accessTokens?.verify(token) : undefined;
    return principal ?? this.apiTokens.verify(token);
  }
}
