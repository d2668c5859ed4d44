import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem/problem.js';
import { NOTHING_HERE, sendProblem } from '../problem/problem.filter.js';
import { announcesBody, pathOf } from '../request/request-head.js';

/**
 * Answers 404, or 405 if the path supports other methods, without waiting for the body as Fastify would. Must be called before
 * any route is registered.
 */
export function refuseUnknownRoutes(fastify: FastifyInstance): void {
  const known = new KnownMethods(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    sendProblem(refusalOf(request, known.of(pathOf(request.url))), request, reply);
  });
}

/** @param methods those that the path supports (RFC 9110 section 15.5.6) */
function refusalOf(request: FastifyRequest, methods: readonly string[]): Problem {
  // The rest of the body is not read.
  const headers = announcesBody(request) ? { connection: 'close' } : {};
  if (methods.length === 0) return new Problem({ status: 404, detail: NOTHING_HERE, headers });
  const allow = methods.join(', ');
  const detail = `This path does not support ${request.method}; use ${methods.join(' or ')}.`;
  return new Problem({ status: 405, detail, headers: { ...headers, allow } });
}

/** Finds the methods that a path supports, to distinguish a wrong method from a wrong path. */
class KnownMethods {
  private readonly routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  /** Records every route that is added from now on. */
  constructor(fastify: FastifyInstance) {
    fastify.addHook('onRoute', ({ url, method }) => {
      const route = this.routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const each of [method].flat()) route.methods.add(each);
      this.routes.set(url, route);
    });
  }

  /** @param path as requested, without its query @returns the methods, sorted; none if the path is unknown */
  of(path: string): string[] {
    const methods = new Set<string>();
    for (const { pattern, methods: taken } of this.routes.values()) {
      if (pattern.test(path)) for (const method of taken) methods.add(method);
    }
    return [...methods].sort();
  }
}

/** `:name` matches one segment, `*` the rest (find-my-way's syntax). */
function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : escape(segment).replace(/\\\*$/, '.*')))
    .join('/');
  return new RegExp(`^${source}$`);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
