import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem/problem.js';
import { NOTHING_HERE, sendProblem } from '../problem/problem.filter.js';
import { announcesBody } from './announces-body.js';
import { KnownMethods } from './known-methods.js';
import { pathOf } from '../request/request-head.js';

/**
 * Answers 404, or 405 where the path is known under other methods, without a look at the body: the framework would wait
 * for all of it first. Before any route is registered.
 */
export function refuseUnknownRoutes(fastify: FastifyInstance): void {
  const known = new KnownMethods(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    sendProblem(refusalOf(request, known.of(pathOf(request.url))), request, reply);
  });
}

/** @param methods those that the path takes (RFC 9110 section 15.5.6) */
function refusalOf(request: FastifyRequest, methods: readonly string[]): Problem {
  // The rest of the body is not waited for.
  const headers = announcesBody(request) ? { connection: 'close' } : {};
  if (methods.length === 0) return new Problem({ status: 404, detail: NOTHING_HERE, headers });
  const allow = methods.join(', ');
  const detail = `${request.method} is not possible here; ${allow} ${methods.length === 1 ? 'is' : 'are'}.`;
  return new Problem({ status: 405, detail, headers: { ...headers, allow } });
}
