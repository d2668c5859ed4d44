import type { FastifyInstance } from 'fastify';

/** The page at /docs brings its own scripts and styles; nothing else needs any. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers every answer carries; a handler that has set one keeps its own. */
export function setSecurityHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply) => {
    const isDocs = request.url === '/docs' || request.url.startsWith('/docs/');
    const defaults = {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': isDocs ? DOCS_POLICY : API_POLICY,
      'x-request-id': request.id,
      ...(isDocs ? {} : { 'cache-control': 'no-store' }),
    };
    for (const [name, value] of Object.entries(defaults)) {
      if (!reply.hasHeader(name)) void reply.header(name, value);
    }
  });
}
