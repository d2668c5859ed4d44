import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/**
 * Makes every response emit 'close'. When a connection breaks, Node emits it only for the response that is being sent, not for
 * those of pipelined requests, which wait behind it.
 */
export function closeQueuedResponses(server: Server): void {
  // One listener per connection, since any number of requests may be pipelined.
  const queued = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('request', ({ socket }, response: ServerResponse) => {
    // Already being sent.
    if (response.socket) return;
    const responses = queued.get(socket) ?? new Set();
    if (!queued.has(socket)) {
      queued.set(socket, responses);
      socket.once('close', () => responses.forEach(closeUnlessSending));
    }
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
}

function closeUnlessSending(response: ServerResponse): void {
  if (response.socket) return;
  response.destroy();
  response.emit('close');
}

/** Calls `listener` once the response has been sent or its caller has left; at once if that has already happened. */
export function onClose({ raw }: FastifyReply, listener: () => void): void {
  if (raw.destroyed) listener();
  else raw.once('close', listener);
}

/** Aborts when the response has been sent or its caller has left. */
export function closeSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onClose(reply, () => controller.abort());
  return controller.signal;
}
