import type { Type } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { AddRouteConfig } from '../request/add-route-config.js';
import { callerKeyOf } from './caller-key.js';
import type { SharedPlaces } from './shared-places.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The provider of the places, one of which the route's handler takes. */
    places?: Type<SharedPlaces>;
  }
}

/**
 * The route's handler takes one of these places. While there is none for a caller, its requests are refused without reading
 * their bodies.
 */
export const NeedsPlace = (places: Type<SharedPlaces>) => AddRouteConfig({ places });

/** Call it after callers are authorized. */
export function refuseWithoutPlace(fastify: FastifyInstance, providerOf: <T>(type: Type<T>) => T): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { places } = request.routeOptions.config;
    if (!places || !request.principal) return done();
    try {
      providerOf(places).assertFree({ id: callerKeyOf(request), address: request.ip });
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}
