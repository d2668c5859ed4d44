import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';

/**
 * Refuses what Node's server would otherwise refuse without explanation or log entry: HTTP/1.1 requests without a Host header or
 * with several (RFC 9112 section 3.2), and expectations other than `100-continue` (RFC 9110 section 10.1.1). Requires
 * `requireHostHeader: false`.
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
    return refusal(400, 'The request has no Host header, which HTTP/1.1 requires.');
  }
  if (countOf('host', rawHeaders) > 1) {
    return refusal(400, 'The request has more than one Host header.');
  }
  return isExpecting
    ? refusal(417, 'The server supports no expectation other than 100-continue.')
    : undefined;
}

/** Node's `headers` only has the first of several Host headers. @param rawHeaders alternating names and values */
function countOf(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

/** Closes the connection, so that a body that may follow is not read. */
function refusal(status: number, detail: string): Problem {
  return new Problem({ status, detail, headers: { connection: 'close' } });
}
