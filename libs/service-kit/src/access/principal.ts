import type { FastifyRequest } from 'fastify';

/** Who makes a request, according to its token. */
export interface Principal {
  /** The token's id, or the subject of an access token. */
  readonly id: string;
  /** The token's name, for display. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Only with an access token: its `iss`. */
  readonly issuer?: string;
  /** Only with an access token: its `sub`. */
  readonly subject?: string;
  /** It stands for all callers without a token. */
  readonly isAnonymous?: true;
}

export type AnonymousPrincipal = Principal & { readonly isAnonymous: true };

/** Verifies bearer tokens. Each service provides its own. */
export interface TokenVerifier {
  /**
   * @param address that the request comes from
   * @returns `undefined` if the token is unknown, expired, revoked or not valid from there; a promise only if that takes I/O
   */
  verify(token: string, address: string): Principal | undefined | Promise<Principal | undefined>;
  /** The principal of requests without a token; absent if a token is required. */
  readonly anonymous?: AnonymousPrincipal;
}

/** Authorizes callers of a route that uses its own tokens. */
export interface CallerAuthorizer {
  /** Called once per request, before its body is read. Throws if the caller is refused. */
  authorize(request: FastifyRequest): Promise<Principal>;
}

/** Decides about requests without a token to a route that otherwise needs one with a scope. */
export interface AnonymousAuthorizer {
  /** @returns undefined: a token is required */
  authorizeAnonymous(request: FastifyRequest): AnonymousPrincipal | undefined;
}

/** Nest's injection token for the service's `TokenVerifier`. */
export const TOKEN_VERIFIER = Symbol('TokenVerifier');

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the bearer token was verified; absent on public routes. */
    principal?: Principal;
  }
}
