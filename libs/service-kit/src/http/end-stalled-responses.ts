import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** In characters. Shorter responses fit into the operating system's send buffer and cannot stall. */
const MAX_BUFFERED_LENGTH = 64 * 1024;

interface ResponseTimeouts {
  /** How long a caller may read nothing while data is waiting for it. */
  readonly stalledMs: number;
  /** How long a connection may be silent while the server has nothing to send. */
  readonly silentMs: number;
}

/**
 * Closes the connection of a caller that stops reading its response. The request would otherwise stay in flight, and hold its
 * resources, for as long as the caller likes; a hundred of them would lock out everyone else.
 */
export function endStalledResponses(fastify: FastifyInstance, timeouts: ResponseTimeouts): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isShort = payload === null || (typeof payload === 'string' && payload.length < MAX_BUFFERED_LENGTH);
    if (!isShort) {
      const { socket } = request.raw;
      reply.raw.setTimeout(timeouts.stalledMs, watch(socket, timeouts));
    }
    done();
  });
}

/** @returns a callback for each `stalledMs` without traffic; to Node, part of a chunk is traffic, too */
function watch(socket: Socket, { stalledMs, silentMs }: ResponseTimeouts): () => void {
  let passed = -1;
  let quietMs = 0;
  return () => {
    const passedNow = socket.bytesWritten + socket.bytesRead;
    quietMs = passedNow === passed ? quietMs + stalledMs : stalledMs;
    passed = passedNow;
    if (socket.writableLength > 0 || quietMs >= silentMs) socket.destroy();
    else socket.setTimeout(stalledMs);
  };
}
