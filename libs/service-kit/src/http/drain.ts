import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How often connections that fell idle are closed once nothing new is taken. */
const SWEEP_MS = 50;

/** Ends a server without dropping a request. */
export interface Drain {
  /** For `drainMs` all is answered as before, but every answer tells its caller to use another connection. */
  begin(drainMs: number): Promise<void>;
  /** From now on connections are closed as they fall idle: one that stays open would hold the process. */
  sweep(): void;
  end(): void;
}

/**
 * A connection that is closed the moment a shutdown begins may carry a request that its caller has just sent. So callers
 * are first asked to leave, connection by connection, while balancers see that the service is not ready; only then is the
 * door shut.
 */
export function drainOf(fastify: FastifyInstance): Drain {
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining) void reply.header('connection', 'close');
    done();
  });
  return {
    begin: async (drainMs) => {
      isDraining = true;
      await sleep(drainMs);
    },
    sweep: () => {
      timer = setInterval(() => fastify.server.closeIdleConnections(), SWEEP_MS);
    },
    end: () => clearInterval(timer),
  };
}
