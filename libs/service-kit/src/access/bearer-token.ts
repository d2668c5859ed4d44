import type { FastifyRequest } from 'fastify';

/** `credentials = "Bearer" 1*SP b64token` (RFC 6750 section 2.1); the scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** No real token comes near this; anything longer is not worth a hash. */
const MAX_TOKEN_LENGTH = 16_384;

/** The token that a request carries, valid or not. @returns nothing where it has none, or one that cannot be one */
export function bearerTokenOf({ headers }: FastifyRequest): string | undefined {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  return token !== undefined && token.length <= MAX_TOKEN_LENGTH ? token : undefined;
}
