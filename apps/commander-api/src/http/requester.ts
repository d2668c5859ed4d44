import type { PlaceTaker } from '@svc/service-kit';
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
  return { id: principal.id, name: principal.name, address: ip, left: whenLeft(reply) };
}

/** Aborts when the client disconnects. */
function whenLeft({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  // The client may disconnect while the token is verified.
  if (raw.destroyed) left.abort();
  else raw.once('close', () => left.abort());
  return left.signal;
}
