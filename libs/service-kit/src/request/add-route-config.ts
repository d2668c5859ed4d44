import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

const configs = new WeakMap<object, FastifyContextConfig>();

/**
 * Adds to what Fastify's hooks read of a handler in `request.routeOptions.config`. NestJS's own decorator replaces what
 * another one put there.
 */
export function AddRouteConfig(part: Partial<FastifyContextConfig>): MethodDecorator {
  return (target, key, descriptor?: { readonly value?: unknown }) => {
    // On a class there is no handler to add to.
    if (descriptor === undefined) return;
    const handler = descriptor.value as object;
    const config = { ...configs.get(handler), ...part } as FastifyContextConfig;
    configs.set(handler, config);
    RouteConfig(config)(target, key, descriptor as PropertyDescriptor);
  };
}
