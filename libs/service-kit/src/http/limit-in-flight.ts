import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';

/** How a request under way leaves the count. */
const departures = new WeakMap<ServerResponse, () => void>();

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
    const depart = once(() => (inFlight -= 1));
    departures.set(reply.raw, depart);
    // 'close' comes for every response: answered, failed, or left behind by its caller.
    reply.raw.once('close', depart);
    done();
  });
}

/** An answer that stays open by design no longer counts as a request under way; whoever serves such ones limits them. */
export function countAsStream(response: ServerResponse): void {
  departures.get(response)?.();
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
