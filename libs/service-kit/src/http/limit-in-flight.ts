import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';
import { announcesBody } from './announces-body.js';
import { BodyTimeouts } from './body-timeouts.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is never refused because others ask too much: health probes. */
    unlimited?: boolean;
    /** The route's handler reads the body as it comes, however large, and sees to it that it comes in time. */
    streamsBody?: boolean;
  }
}

/** How a request under way leaves the count. */
const departures = new WeakMap<ServerResponse, () => void>();

/**
 * Answers 503 to what comes while `limit` requests are under way. Whoever sends slowly, or nothing more, keeps nobody
 * out: the request whose body has been awaited longest is given up for the one that comes.
 *
 * @returns how many are under way
 */
export function limitInFlight(fastify: FastifyInstance, limit: number): () => number {
  let inFlight = 0;
  const bodies = new BodyTimeouts();
  const [busy, late] = [tooBusy(limit), tooLate(limit)];
  const makeRoom = (): boolean => {
    const givenUp = bodies.giveUpOldest(late);
    if (givenUp) departures.get(givenUp.raw)?.();
    return givenUp !== undefined;
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    const { unlimited = false, streamsBody = false } = request.routeOptions.config;
    if (unlimited) return done();
    if (inFlight >= limit && !makeRoom()) return sendProblem(busy, request, reply);
    inFlight += 1;
    const depart = once(() => (inFlight -= 1));
    departures.set(reply.raw, depart);
    // 'close' comes for every response: answered, failed, or left behind by its caller.
    reply.raw.once('close', depart);
    if (!streamsBody && announcesBody(request)) bodies.add(request, reply);
    done();
  });
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    bodies.answered(request);
    done();
  });
  return () => inFlight;
}

/** An answer that stays open by design no longer counts as a request under way; whoever serves such ones limits them. */
export function countAsStream(response: ServerResponse): void {
  departures.get(response)?.();
}

function tooBusy(limit: number): Problem {
  const detail = `The server has ${limit} requests under way; try again shortly.`;
  return new Problem({ status: 503, detail, headers: { 'retry-after': '1' } });
}

function tooLate(limit: number): Problem {
  const detail = `The server has ${limit} requests under way, and the body of this one had not come; try again shortly.`;
  return new Problem({ status: 503, detail, headers: { 'retry-after': '1', connection: 'close' } });
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
