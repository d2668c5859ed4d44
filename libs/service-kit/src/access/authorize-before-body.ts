import type { FastifyInstance } from 'fastify';
import type { Access } from './access.decorators.js';
import type { Authorizer } from './authorizer.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route's handler asks of its caller. */
    access?: Access;
  }
}

/**
 * Refuses callers before their body is read: nobody without a token makes the server keep one. Routes whose controller
 * says what is asked, not the handler itself, are left to the guard.
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
