import type { FastifyRequest } from 'fastify';

/** Who makes a request, as its token says. */
export interface Principal {
  /** The token's id, or the subject of an access token. */
  readonly id: string;
  /** For people: the token's name. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Of an access token: who vouches for its subject (`iss`). */
  readonly issuer?: string;
  /** Of an access token: its `sub`. */
  readonly subject?: string;
}

/** Knows which bearer tokens are valid. Each service brings its own. */
export interface TokenVerifier {
  /** @returns the principal, or undefined when the token is unknown, expired or revoked; a promise where it must ask */
  verify(token: string): Principal | undefined | Promise<Principal | undefined>;
  /** Who makes a request without a token; absent when a token is a must. */
  readonly anonymous?: Principal;
}

/** Knows who may use a route that has tokens of its own. */
export interface CallerAuthorizer {
  /** Called once for each request, before its body is read. Throws when the caller may not go on. */
  authorize(request: FastifyRequest): Promise<Principal>;
}

/** Nest's injection token for the service's `TokenVerifier`. */
export const TOKEN_VERIFIER = Symbol('TokenVerifier');

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the bearer token was verified; absent on public routes. */
    principal?: Principal;
  }
}
