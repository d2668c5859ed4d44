import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../request/add-route-config.js';
import type { AnonymousAuthorizer, CallerAuthorizer, Principal } from './principal.js';

/** What a route requires of its caller. */
export type Access = { readonly public: true } | RestrictedAccess;

/** A bearer token, with the scope if one is given, or what the route's own authorizer requires. */
export type RestrictedAccess =
  | {
      readonly scope: string | undefined;
      /** Other scopes, any of which will do instead. */
      readonly alternatives?: readonly string[];
      /** Decides about requests without a token. */
      readonly anonymous?: Type<AnonymousAuthorizer>;
    }
  | { readonly authorizer: Type<CallerAuthorizer> };

/** Metadata key under which a handler or controller carries its `Access`. */
export const ACCESS = 'svc:access';

/** The route needs no token. */
export const Public = () => SetMetadata<string, Access>(ACCESS, { public: true });

/** The route needs a bearer token that carries `scope` (RFC 6750), or one of the alternatives. */
export const RequireScope = (scope: string, ...alternatives: string[]) =>
  applyDecorators(
    SetMetadata<string, Access>(ACCESS, { scope, alternatives }),
    AddRouteConfig({ access: { scope, alternatives } }),
    ApiBearerAuth('bearer'),
    ApiExtension('x-required-scope', scope),
    ...(alternatives.length > 0 ? [ApiExtension('x-sufficient-scopes', [scope, ...alternatives])] : []),
  );

/** The route needs a bearer token that carries `scope`, unless `anonymous`, a provider, accepts requests without one. */
export const RequireScopeOrAnonymous = (scope: string, anonymous: Type<AnonymousAuthorizer>) =>
  applyDecorators(
    SetMetadata<string, Access>(ACCESS, { scope, anonymous }),
    AddRouteConfig({ access: { scope, anonymous } }),
    ApiBearerAuth('bearer'),
    ApiExtension('x-required-scope', scope),
  );

/** The route needs a bearer token with any scopes, because it only returns data about the caller. */
export const RequireToken = () =>
  applyDecorators(
    SetMetadata<string, Access>(ACCESS, { scope: undefined }),
    AddRouteConfig({ access: { scope: undefined } }),
    ApiBearerAuth('bearer'),
  );

/**
 * The route uses its own tokens instead of a scope; `authorizer`, a provider, verifies them.
 */
export const RequireOwnToken = (authorizer: Type<CallerAuthorizer>) =>
  applyDecorators(
    SetMetadata<string, Access>(ACCESS, { authorizer }),
    AddRouteConfig({ access: { authorizer } }),
    ApiBearerAuth('bearer'),
  );

/** The caller, in a handler that requires a token. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('a public route has no principal');
  return principal;
});
