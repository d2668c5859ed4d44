import type { Type, CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest, FastifyInstance } from 'fastify';
import type { TokenLimit } from '../limits/limit-rates.js';
import { assignPlace } from '../limits/request-places.js';
import { Problem } from '../problem/problem.js';
import { type RestrictedAccess, type Access, ACCESS } from './access.decorators.js';
import type { CallerAuthorizer, Principal, TokenVerifier } from './principal.js';
import type { Reflector } from '@nestjs/core';

/** Checks a request before its token is verified; throws a {@link Problem} to refuse it. */
export type CallerRule = (request: FastifyRequest, scope: string | undefined) => void;

/** Identifies callers by their bearer token and checks what they may do. */
export class Authorizer {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly limit: TokenLimit,
    private readonly providerOf: <T>(type: Type<T>) => T,
    private readonly checkCaller?: CallerRule,
  ) {}

  /**
   * Sets `request.principal`, once per request.
   *
   * @returns `undefined`, which saves a promise, if the token can be verified at once
   * @throws {Problem} 401 without a valid token, 403 without the scope, 429 beyond the token's rate limit
   */
  authorize(request: FastifyRequest, access: RestrictedAccess): void | Promise<void> {
    return 'authorizer' in access
      ? this.authorizeByRoute(request, access.authorizer)
      : this.authorizeByScope(request, access);
  }

  private authorizeByRoute(
    request: FastifyRequest,
    authorizer: Type<CallerAuthorizer>,
  ): void | Promise<void> {
    if (request.principal) return undefined;
    return this.providerOf(authorizer)
      .authorize(request)
      .then((principal) => this.note(request, principal));
  }

  private authorizeByScope(request: FastifyRequest, access: ScopedAccess): void | Promise<void> {
    if (request.principal) return requireScope(request.principal, access);
    this.checkCaller?.(request, access.scope);
    const token = bearerTokenOf(request);
    if (token === undefined) return this.settle(request, this.anonymousIn(request, access), access);
    const principal = this.tokens.verify(token, request.ip);
    if (principal instanceof Promise) return principal.then((found) => this.settle(request, found, access));
    return this.settle(request, principal, access);
  }

  private anonymousIn(request: FastifyRequest, { anonymous }: ScopedAccess): Principal | undefined {
    if (!anonymous || request.headers.authorization !== undefined) return this.tokens.anonymous;
    return this.providerOf(anonymous).authorizeAnonymous(request);
  }

  private settle(request: FastifyRequest, principal: Principal | undefined, access: ScopedAccess): void {
    if (!principal) throw unauthorized(request.headers.authorization !== undefined);
    this.note(request, principal);
    requireScope(principal, access);
  }

  private note(request: FastifyRequest, principal: Principal): void {
    request.principal = principal;
    // All anonymous callers share one id.
    if (principal.isAnonymous) return this.limit.takeAnonymous(request.ip);
    // All access tokens of a user count as one.
    if (principal.issuer !== undefined) assignPlace(request.raw, principal.id);
    this.limit.take(principal.id);
  }
}

type ScopedAccess = Exclude<RestrictedAccess, { authorizer: unknown }>;

function requireScope({ scopes }: Principal, { scope, alternatives = [] }: ScopedAccess): void {
  if (scope === undefined || scopes.includes(scope)) return;
  if (!alternatives.some((alternative) => scopes.includes(alternative))) throw insufficientScope(scope);
}

/** The same text for unknown, expired and revoked tokens, so that callers cannot tell them apart. */
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

/** `credentials = "Bearer" 1*SP b64token` (RFC 6750 section 2.1); the scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** Far above the length of any real token. Longer ones are refused without hashing them. */
const MAX_TOKEN_LENGTH = 16_384;

/** The token that a request carries, valid or not. @returns `undefined` if there is none, or its syntax is wrong */
export function bearerTokenOf({ headers }: FastifyRequest): string | undefined {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  return token !== undefined && token.length <= MAX_TOKEN_LENGTH ? token : undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route's handler requires of its caller. */
    access?: Access;
  }
}

/**
 * Refuses callers before their body is read, so that callers without a token cannot make the server buffer bodies. Routes
 * whose access is declared on the controller rather than the handler are left to the guard.
 */
export function authorizeBeforeBody(fastify: FastifyInstance, authorizer: Authorizer): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config;
    if (!access || 'public' in access) return done();
    try {
      const pending = authorizer.authorize(request, access);
      if (pending) pending.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Allows requests to public routes, and those whose token meets the route's requirements. Denies by default. */
export class BearerTokenGuard implements CanActivate {
  /** What each controller's handlers declare. */
  private readonly accesses = new Map<unknown, Map<unknown, Access>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly authorizer: Authorizer,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.accessOf(context);
    if ('public' in access) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return this.authorizer.authorize(request, access)?.then(() => true) ?? true;
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
