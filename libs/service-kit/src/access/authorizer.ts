import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { TokenLimit } from '../limits/limit-rates.js';
import { Problem } from '../problem/problem.js';
import type { RestrictedAccess } from './access.decorators.js';
import { bearerTokenOf } from './bearer-token.js';
import type { CallerAuthorizer, Principal, TokenVerifier } from './principal.js';

/** Refuses requests for what they are before their token is looked at, by throwing a {@link Problem}. */
export type CallerRule = (request: FastifyRequest, scope: string | undefined) => void;

/** Knows who asks, by the bearer token, and whether they may. */
export class Authorizer {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly limit: TokenLimit,
    private readonly authorizerOf: (type: Type<CallerAuthorizer>) => CallerAuthorizer,
    private readonly checkCaller?: CallerRule,
  ) {}

  /**
   * Lets the request through and notes who makes it; once for each request.
   *
   * @returns nothing where the token is known already, which costs no promise
   * @throws {Problem} when nobody, or somebody without the scope, asks; or somebody who asks too much
   */
  authorize(request: FastifyRequest, access: RestrictedAccess): void | Promise<void> {
    return 'authorizer' in access
      ? this.authorizeByRoute(request, access.authorizer)
      : this.authorizeByScope(request, access.scope);
  }

  private authorizeByRoute(
    request: FastifyRequest,
    authorizer: Type<CallerAuthorizer>,
  ): void | Promise<void> {
    if (request.principal) return undefined;
    return this.authorizerOf(authorizer)
      .authorize(request)
      .then((principal) => this.note(request, principal));
  }

  private authorizeByScope(request: FastifyRequest, scope: string | undefined): void | Promise<void> {
    if (request.principal) return requireScope(request.principal, scope);
    this.checkCaller?.(request, scope);
    const token = bearerTokenOf(request);
    const principal = token === undefined ? this.tokens.anonymous : this.tokens.verify(token);
    if (principal instanceof Promise) return principal.then((found) => this.settle(request, found, scope));
    return this.settle(request, principal, scope);
  }

  private settle(request: FastifyRequest, principal: Principal | undefined, scope: string | undefined): void {
    if (!principal) throw unauthorized(request.headers.authorization !== undefined);
    this.note(request, principal);
    requireScope(principal, scope);
  }

  private note(request: FastifyRequest, principal: Principal): void {
    request.principal = principal;
    this.limit.take(principal.id);
  }
}

function requireScope({ scopes }: Principal, scope: string | undefined): void {
  if (scope !== undefined && !scopes.includes(scope)) throw insufficientScope(scope);
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
