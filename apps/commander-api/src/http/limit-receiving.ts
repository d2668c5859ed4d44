import type { FastifyInstance } from 'fastify';
import { rawBodyOf } from './raw-body.js';

/** How long a request may take to arrive, in milliseconds, unless its route takes large bodies. */
export const RECEIVE_MS = 300_000;

/**
 * Ends connections whose request does not arrive in time. Routes with `RawBody('parsed', 'slowly')` see to it
 * themselves, and may be silent while they work. How long an answer takes does not count.
 *
 * @param limitMs for a request, in milliseconds
 */
export function limitReceiving(fastify: FastifyInstance, limitMs: number = RECEIVE_MS): void {
  fastify.addHook('onRequest', async (request) => {
    const { raw } = request;
    if (rawBodyOf(request)?.receives === 'slowly') {
      raw.socket.setTimeout(0);
      return;
    }
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy();
    }, limitMs);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
  });
}
