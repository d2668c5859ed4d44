import type { FastifyInstance } from 'fastify';

/** The page at /docs brings its own scripts and styles; nothing else needs any. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};

const API_HEADERS = {
  ...EVERYWHERE,
  'content-security-policy': API_POLICY,
  'cache-control': 'no-store',
};

const DOCS_HEADERS = { ...EVERYWHERE, 'content-security-policy': DOCS_POLICY };

/** @param url as it was asked for */
export function securityHeadersOf(url: string): Readonly<Record<string, string>> {
  return url === '/docs' || url.startsWith('/docs/') ? DOCS_HEADERS : API_HEADERS;
}

/** Headers every answer carries; a handler that sets one has its own. */
export function setSecurityHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(securityHeadersOf(request.url)).header('x-request-id', request.id);
    done();
  });
}
