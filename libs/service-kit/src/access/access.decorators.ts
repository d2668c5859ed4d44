import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../http/add-route-config.js';
import type { Principal } from './principal.js';

/** What a route asks of its caller. */
export type Access = { readonly public: true } | { readonly scope: string };

/** Metadata key under which a handler or controller carries its `Access`. */
export const ACCESS = 'svc:access';

/** The route needs no token. Only what the design lists as public carries this. */
export const Public = () => SetMetadata<string, Access>(ACCESS, { public: true });

/** The route needs a bearer token that carries `scope` (RFC 6750). */
export const RequireScope = (scope: string) =>
  applyDecorators(
    SetMetadata<string, Access>(ACCESS, { scope }),
    AddRouteConfig({ access: { scope } }),
    ApiBearerAuth('bearer'),
    ApiExtension('x-required-scope', scope),
  );

/** The caller, in a handler that requires a scope. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('a public route has no principal');
  return principal;
});
