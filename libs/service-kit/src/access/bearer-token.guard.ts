import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../problem/problem.js';
import { ACCESS, type Access } from './access.decorators.js';
import type { TokenVerifier } from './principal.js';

/** `credentials = "Bearer" 1*SP b64token` (RFC 6750 section 2.1); the scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** No real token comes near this; anything longer is not worth a hash. */
const MAX_TOKEN_LENGTH = 16_384;

/** Lets a request through when its route is public or its token carries the route's scope. Denies by default. */
export class BearerTokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokenVerifier,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!access) throw new Error(`${context.getClass().name} has a route without a declared scope`);
    if ('public' in access) return true;

    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = tokenOf(request);
    const principal = token === undefined ? this.tokens.anonymous : await this.tokens.verify(token);
    if (!principal) throw unauthorized(request.headers.authorization !== undefined);
    request.principal = principal;
    if (!principal.scopes.includes(access.scope)) throw insufficientScope(access.scope);
    return true;
  }
}

function tokenOf(request: FastifyRequest): string | undefined {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  return token !== undefined && token.length <= MAX_TOKEN_LENGTH ? token : undefined;
}

/** One text for every kind of bad token: nobody learns whether it is unknown, expired or revoked. */
function unauthorized(presented: boolean): Problem {
  const challenge = presented ? 'Bearer realm="svc", error="invalid_token"' : 'Bearer realm="svc"';
  const detail = presented
    ? 'The bearer token is not valid.'
    : 'Send a token in the Authorization header: "Authorization: Bearer <token>".';
  return new Problem({ status: 401, detail, headers: { 'www-authenticate': challenge } });
}

function insufficientScope(scope: string): Problem {
  return new Problem({
    status: 403,
    detail: `The token lacks the scope ${scope}.`,
    headers: { 'www-authenticate': `Bearer realm="svc", error="insufficient_scope", scope="${scope}"` },
  });
}
