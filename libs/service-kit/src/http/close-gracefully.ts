import type { FastifyInstance } from 'fastify';

/** How often connections that fell idle are closed while the server drains. */
const SWEEP_MS = 50;

/**
 * Prepares a server to be closed without dropping a request: once `drain` is called every answer tells its caller to
 * use another connection, and connections are closed as they fall idle. Without this, one caller that keeps its
 * connection alive holds the process for as long as the keep-alive time-out.
 */
export function closeGracefully(fastify: FastifyInstance): { drain(): void; drained(): void } {
  let sweep: NodeJS.Timeout | undefined;
  fastify.addHook('onSend', async (_request, reply) => {
    if (sweep) void reply.header('connection', 'close');
  });
  return {
    drain: () => {
      sweep = setInterval(() => fastify.server.closeIdleConnections(), SWEEP_MS);
    },
    drained: () => clearInterval(sweep),
  };
}
