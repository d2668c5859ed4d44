import { closeSignal, type PlaceTaker } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Who makes a request, and whether it is still there. */
export interface Requester extends PlaceTaker {
  /** The name of the token. */
  readonly name: string;
  /** Aborts when the client disconnects. */
  readonly left: AbortSignal;
}

export function requesterOf({ principal, ip }: FastifyRequest, reply: FastifyReply): Requester {
  if (!principal) throw new Error('a public route has no requester');
  return { id: principal.id, name: principal.name, address: ip, left: closeSignal(reply) };
}
