import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';

/** Answers 503 to whatever comes while `limit` requests are under way; health probes always get through. */
export function limitInFlight(fastify: FastifyInstance, limit: number): void {
  let inFlight = 0;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/health/')) return done();
    if (inFlight >= limit) {
      const detail = `The server has ${limit} requests under way; try again shortly.`;
      return sendProblem(
        new Problem({ status: 503, detail, headers: { 'retry-after': '1' } }),
        request,
        reply,
      );
    }
    inFlight += 1;
    // 'close' comes exactly once for every response: answered, failed, or left behind by its caller.
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    done();
  });
}
