import type { FastifyReply } from 'fastify';

/** Aborts when the client disconnects. */
export function whenLeft({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  // The client may disconnect while the token is verified.
  if (raw.destroyed) left.abort();
  else raw.once('close', () => left.abort());
  return left.signal;
}
