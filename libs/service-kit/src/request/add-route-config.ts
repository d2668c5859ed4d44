import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

const configs = new WeakMap<object, FastifyContextConfig>();

/**
 * Adds to a handler's `request.routeOptions.config`, which Fastify's hooks read. NestJS's `RouteConfig` replaces what earlier
 * decorators set.
 */
export function AddRouteConfig(part: Partial<FastifyContextConfig>): MethodDecorator {
  return (target, key, descriptor?: { readonly value?: unknown }) => {
    // Classes have no handler.
    if (descriptor === undefined) return;
    const handler = descriptor.value as object;
    const config = { ...configs.get(handler), ...part } as FastifyContextConfig;
    configs.set(handler, config);
    RouteConfig(config)(target, key, descriptor as PropertyDescriptor);
  };
}
