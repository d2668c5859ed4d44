import type { FastifyInstance } from 'fastify';

/** What pages may read of an answer beside its body; all else is hidden from them. */
const EXPOSED =
  'ETag, Location, Link, Retry-After, WWW-Authenticate, X-Request-Id, Accept, Accept-Patch, Idempotency-Replayed, Change-Seq';

/** What pages may send: tokens come in a header, so that no cookie is ever allowed. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Traceparent, Tracestate',
  'access-control-max-age': '600',
};

/** Lets pages of these origins read answers (CORS, Fetch standard section 3.2). Without any, nothing is added. */
export function allowOrigins(fastify: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  fastify.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': asked } = request.headers;
    void reply.header('vary', 'Origin');
    if (origin === undefined || !allowed.has(origin)) return done();
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
    if (request.method !== 'OPTIONS' || asked === undefined) return done();
    void reply.status(204).headers(PREFLIGHT).send();
  });
}
