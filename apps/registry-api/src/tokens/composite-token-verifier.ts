import type { Principal, TokenVerifier } from '@svc/service-kit';

/** Nest's injection token for the verifier of the issuer's access tokens; `undefined` when no issuer is configured. */
export const ACCESS_TOKENS = Symbol('AccessTokens');

/** The compact serialization of a signed JWT (RFC 7515 section 7.1): its header, a JSON object, begins with `{"`. */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

/** Accepts the registry's own API tokens and, where an issuer is configured, its access tokens. */
export class CompositeTokenVerifier implements TokenVerifier {
  /** @param accessTokens absent when no issuer is configured */
  constructor(
    private readonly apiTokens: TokenVerifier,
    private readonly accessTokens?: TokenVerifier,
  ) {}

  verify(token: string): Principal | undefined | Promise<Principal | undefined> {
    const { accessTokens } = this;
    if (!accessTokens || !JWT.test(token)) return this.apiTokens.verify(token);
    return this.verifyEither(token, accessTokens);
  }

  /** The issuer's first, so that a request with an access token costs no query. */
  private async verifyEither(token: string, accessTokens: TokenVerifier): Promise<Principal | undefined> {
    return (await accessTokens.verify(token)) ?? this.apiTokens.verify(token);
  }
}
