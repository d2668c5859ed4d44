import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Shorter ones fit into what the operating system keeps for a connection: nobody has to take them. In characters. */
const SHORT = 64 * 1024;

/** In milliseconds. */
export interface AnswerTimes {
  /** How long a caller may take nothing of an answer that waits to be taken. */
  readonly stalledMs: number;
  /** How long nothing may pass while the server has nothing to send. */
  readonly silentMs: number;
}

/**
 * Ends the connection of a caller who stops taking its answer. It would be a request under way, with what it holds, for as
 * long as the caller likes; a hundred of them would keep out all others.
 */
export function endStalledResponses(fastify: FastifyInstance, times: AnswerTimes): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isShort = payload === null || (typeof payload === 'string' && payload.length < SHORT);
    if (!isShort) {
      const { socket } = request.raw;
      reply.raw.setTimeout(times.stalledMs, watch(socket, times));
    }
    done();
  });
}

/** @returns what is called whenever nothing has passed for `stalledMs`; Node counts a part of a block, too */
function watch(socket: Socket, { stalledMs, silentMs }: AnswerTimes): () => void {
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
