import { pathOf } from '@svc/service-kit';
import type { FastifyInstance } from 'fastify';

/**
 * Answers below /register are not to be kept, and their errors are of the type that OAuth clients read
 * (RFC 7591 section 3.2): what refuses a request before its route is reached has no other place.
 */
export function answerAsOAuth(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (!request.url.startsWith('/register') || !/^\/register(\/|$)/.test(pathOf(request.url))) return done();
    void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
    const type = String(reply.getHeader('content-type') ?? '');
    if (type.startsWith('application/problem+json'))
      void reply.header('content-type', 'application/json; charset=utf-8');
    done();
  });
}
