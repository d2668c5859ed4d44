import { callerKeyOf, closeSignal, type PlaceTaker } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Who makes a request, and whether it is still there. */
export interface Requester extends PlaceTaker {
  /** The name of the token. */
  readonly name: string;
  /** Aborts when the client disconnects. */
  readonly left: AbortSignal;
}

export function requesterOf(request: FastifyRequest, reply: FastifyReply): Requester {
  const { principal, ip } = request;
  if (!principal) throw new Error('a public route has no requester');
  return { id: callerKeyOf(request), name: principal.name, address: ip, left: closeSignal(reply) };
}
