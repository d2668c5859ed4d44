import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';
import { announcesBody } from '../request/request-head.js';
import { BodyTimeouts } from './body-timeouts.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is exempt from rate and load limits, as health probes are. */
    unlimited?: boolean;
    /** The route's handler reads the body as a stream, and enforces its own timeouts. */
    streamsBody?: boolean;
  }
}

/** Removes a request from the count. */
const departures = new WeakMap<ServerResponse, () => void>();

/**
 * Answers 503 while `limit` requests are in flight. So that slow senders do not lock out others, the request whose body has
 * been awaited longest is refused in favor of the new one.
 *
 * @returns counts the requests in flight
 */
export function limitInFlight(fastify: FastifyInstance, limit: number, bodyTimeoutMs: number): () => number {
  let inFlight = 0;
  const bodies = new BodyTimeouts(bodyTimeoutMs);
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
    // Every response emits 'close': if it was sent, if it failed, and if the caller went away.
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

/** A response that stays open by design no longer counts as in flight; the code that serves it limits how many there are. */
export function countAsStream(response: ServerResponse): void {
  departures.get(response)?.();
}

function tooBusy(limit: number): Problem {
  const detail = `The server has ${limit} requests under way; try again shortly.`;
  return new Problem({ status: 503, detail, headers: { 'retry-after': '1' } });
}

function tooLate(limit: number): Problem {
  const detail = `The server has ${limit} requests under way, and the body of this one has not arrived; try again shortly.`;
  return new Problem({ status: 503, detail, headers: { 'retry-after': '1', connection: 'close' } });
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
