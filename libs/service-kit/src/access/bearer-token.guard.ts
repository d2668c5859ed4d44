import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { TokenLimit } from '../limits/limit-rates.js';
import { Problem } from '../problem/problem.js';
import { ACCESS, type Access } from './access.decorators.js';
import type { Principal, TokenVerifier } from './principal.js';

/** `credentials = "Bearer" 1*SP b64token` (RFC 6750 section 2.1); the scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** No real token comes near this; anything longer is not worth a hash. */
const MAX_TOKEN_LENGTH = 16_384;

/** Lets a request through when its route is public or its token carries the route's scope. Denies by default. */
export class BearerTokenGuard implements CanActivate {
  /** What each controller's handlers declare. */
  private readonly accesses = new Map<unknown, Map<unknown, Access>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokenVerifier,
    private readonly limit: TokenLimit,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.accessOf(context);
    if ('public' in access) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = tokenOf(request);
    const principal = token === undefined ? this.tokens.anonymous : this.tokens.verify(token);
    // What is known already costs no promise.
    if (principal instanceof Promise)
      return principal.then((found) => this.admit(request, found, access.scope));
    return this.admit(request, principal, access.scope);
  }

  /** @throws {Problem} when nobody, or somebody without the scope, asks; or somebody who asks too much */
  private admit(request: FastifyRequest, principal: Principal | undefined, scope: string): true {
    if (!principal) throw unauthorized(request.headers.authorization !== undefined);
    request.principal = principal;
    this.limit.take(principal.id);
    if (!principal.scopes.includes(scope)) throw insufficientScope(scope);
    return true;
  }

  private accessOf(context: ExecutionContext): Access {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    const declared = this.accesses.get(controller) ?? new Map<unknown, Access>();
    const known = declared.get(handler);
    if (known) return known;
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [handler, controller]);
    if (!access) throw new Error(`${controller.name} has a route without a declared scope`);
    this.accesses.set(controller, declared.set(handler, access));
    return access;
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
