import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';

/**
 * Refuses what Node's server would refuse by itself, without a word and past the log: a request of HTTP/1.1 that names no
 * host or several (RFC 9112 section 3.2), and one that expects something other than `100-continue` (RFC 9110 section 10.1.1). The
 * server has to leave the first to it, by `requireHostHeader: false`.
 */
export function validateRequestHead(fastify: FastifyInstance): void {
  const expecting = new WeakSet<IncomingMessage>();
  const server = fastify.server as Server;
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    expecting.add(request);
    server.emit('request', request, response);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const problem = problemOf(request.raw, expecting.has(request.raw));
    if (!problem) return done();
    sendProblem(problem, request, reply);
  });
}

function problemOf(
  { httpVersion, headers, rawHeaders }: IncomingMessage,
  isExpecting: boolean,
): Problem | undefined {
  if (httpVersion === '1.1' && headers.host === undefined) {
    return refusal(400, 'The request has no Host header, which HTTP/1.1 demands.');
  }
  if (countOf('host', rawHeaders) > 1) {
    return refusal(400, 'The request has more than one Host header, so that it is not clear whom it is for.');
  }
  return isExpecting ? refusal(417, 'The server meets no expectation but 100-continue.') : undefined;
}

/** Node keeps the first of several Host headers and says nothing of the others. @param rawHeaders names and values in turn */
function countOf(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

/** A body that may follow is not waited for. */
function refusal(status: number, detail: string): Problem {
  return new Problem({ status, detail, headers: { connection: 'close' } });
}
