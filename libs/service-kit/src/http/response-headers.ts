import type { FastifyInstance } from 'fastify';
import { pathOf } from '../request/request-head.js';

/** The page at /docs loads its own scripts and styles; nothing else needs any. */
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

/** @param url as requested */
export function securityHeadersOf(url: string): Readonly<Record<string, string>> {
  return url === '/docs' || url.startsWith('/docs/') ? DOCS_HEADERS : API_HEADERS;
}

/** Sets the headers of every response; handlers may override them. */
export function setSecurityHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(securityHeadersOf(request.url)).header('x-request-id', request.id);
    done();
  });
}

/** The response headers that pages may read. */
const EXPOSED =
  'ETag, Location, Link, Retry-After, WWW-Authenticate, X-Request-Id, Accept, Accept-Patch, Idempotency-Replayed, Change-Seq';

/** What pages may send. Tokens are sent in a header, so cookies are never allowed. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Traceparent, Tracestate',
  'access-control-max-age': '600',
};

/** Origins whose pages may read responses below a path, such as `/register`; `*`: any. */
export interface PathOrigins {
  readonly path: string;
  readonly origins: readonly string[];
}

/** Lets pages of these origins read responses (CORS, Fetch standard section 3.2). */
export function allowOrigins(
  fastify: FastifyInstance,
  origins: readonly string[],
  below: PathOrigins = { path: '', origins: [] },
): void {
  if (origins.length === 0 && below.origins.length === 0) return;
  const allowed = new Set(origins);
  const allowedBelow = new Set(below.origins);
  const isBelow = (path: string) => path === below.path || path.startsWith(`${below.path}/`);
  const isAllowed = (origin: string, url: string) =>
    allowed.has(origin) || ((allowedBelow.has(origin) || allowedBelow.has('*')) && isBelow(pathOf(url)));
  fastify.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': asked } = request.headers;
    void reply.header('vary', 'Origin');
    if (origin === undefined || !isAllowed(origin, request.url)) return done();
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
    if (request.method !== 'OPTIONS' || asked === undefined) return done();
    void reply.status(204).headers(PREFLIGHT).send();
  });
}
