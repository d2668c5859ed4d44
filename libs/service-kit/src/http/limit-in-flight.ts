import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerTokenOf } from '../access/authorizer.js';
import { callerNetwork } from '../limits/caller-network.js';
import type { RefusalCounter } from '../limits/limit-rates.js';
import {
  leavePlace,
  RequestPlaces,
  type RequestTaker,
  type Shortage,
  takerOf,
} from '../limits/request-places.js';
import { AT_A_TIME } from '../limits/request-turns.js';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';
import { announcesBody } from '../request/request-head.js';
import { TaskPerTurn } from '../runtime/event-loop-yield.js';
import { BodyTimeouts } from './body-timeouts.js';
import { onClose } from '../request/response-close.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is exempt from rate and load limits, as health probes are. */
    unlimited?: boolean;
    /** The route's handler reads the body as a stream, and enforces its own timeouts. */
    streamsBody?: boolean;
  }
}

/**
 * Refuses requests while `limit` are in flight, and before that those of callers that have used up their share. So that slow
 * senders do not lock out others, a new request displaces the one that has waited longest for its body: one of the same caller
 * if that caller's share is used up.
 *
 * @param refusals counts requests that were refused because a share is used up
 * @returns counts the requests in flight
 */
export function limitInFlight(
  fastify: FastifyInstance,
  limit: number,
  bodyTimeoutMs: number,
  refusals?: RefusalCounter,
): () => number {
  const places = new RequestPlaces(limit, refusals);
  const bodies = new BodyTimeouts(bodyTimeoutMs);
  const delayed = new DelayedRefusals();
  const makeRoom = (shortage: Shortage, taker: RequestTaker): boolean => {
    const makesRoom = ({ raw }: FastifyRequest) =>
      shortage === 'process' || takerOf(raw)?.[shortage] === taker[shortage];
    const givenUp = bodies.giveUpOldest(TOO_LATE, makesRoom);
    if (givenUp) places.leave(givenUp.raw);
    return givenUp !== undefined;
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    const { unlimited = false, streamsBody = false } = request.routeOptions.config;
    if (unlimited) return done();
    const address = callerNetwork(request.ip);
    // Whether the token is valid is not known yet.
    const taker = { token: bearerTokenOf(request) ?? address, address };
    const shortage = places.shortageFor(taker);
    if (shortage && !makeRoom(shortage, taker))
      return sendProblem(places.refusalOf(shortage, taker), request, reply);
    places.take(request.raw, taker);
    onClose(reply, () => places.leave(request.raw));
    if (!streamsBody && announcesBody(request)) bodies.add(request, reply);
    done();
  });
  // By then the holder of the token is known, and the body has arrived.
  fastify.addHook('preHandler', ({ raw }, _reply, done) => places.startInTurn(raw, done));
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    bodies.answered(request);
    if (!isRefusedForNow(reply, places.countOfSameToken(request.raw))) return done();
    places.leave(request.raw);
    delayed.add(reply, done);
  });
  return () => places.inFlight;
}

/**
 * Whether the caller exceeds its rate or its share; or, with many requests in flight, keeps repeating one that must wait for an
 * earlier one to end.
 */
function isRefusedForNow(reply: FastifyReply, underWay: number): boolean {
  if (reply.statusCode === 429) return true;
  return reply.statusCode === 409 && reply.hasHeader('retry-after') && underWay > AT_A_TIME;
}

/** The minimum delay of a refusal; at most twice as long, unless the process is busy. */
const DELAY_MS = 500;

/** Further ones are sent at once, so that waiting callers do not fill the memory. */
const MAX_DELAYED = 1_000;

/**
 * Delays refusals, since a caller that repeats its requests at once would keep the process busy with nothing else. They are
 * sent one at a time: all timers that are due at the end of a long turn of the event loop would make the next one long, too.
 */
class DelayedRefusals {
  private readonly due = new TaskPerTurn();
  private waiting = 0;

  add(reply: FastifyReply, send: () => void): void {
    if (this.waiting >= MAX_DELAYED) return send();
    this.waiting += 1;
    let isOpen = true;
    const sendIfOpen = () => void (isOpen && send());
    const timer = setTimeout(() => this.due.add(sendIfOpen), DELAY_MS * (1 + Math.random()));
    onClose(reply, () => {
      isOpen = false;
      clearTimeout(timer);
      this.waiting -= 1;
    });
  }
}

/** A response that stays open by design no longer counts as in flight; the code that serves it limits how many there are. */
export function countAsStream(response: ServerResponse): void {
  leavePlace(response.req);
}

const TOO_LATE = new Problem({
  status: 503,
  detail: 'Too many requests are in progress, and the body of this one has not arrived; try again shortly.',
  headers: { 'retry-after': '1', connection: 'close' },
});
