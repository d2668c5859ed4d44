import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';

/** Base time allowed for a body, in milliseconds; its size adds to it. */
export const BODY_TIMEOUT_MS = 15_000;

const MIN_BYTES_PER_MS = 64;

/** Requests whose bodies have not fully arrived. */
export class BodyTimeouts {
  /** Unanswered ones, oldest first. */
  private readonly awaited = new Map<IncomingMessage, FastifyReply>();

  constructor(private readonly timeoutMs: number) {}

  /** Answers 408 if the body is late. If the request has been answered by then, closes its connection. */
  add(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request;
    const timer = setTimeout(
      () => {
        if (raw.complete) return;
        if (this.awaited.has(raw)) this.giveUp(request, reply, TOO_SLOW);
        else raw.socket.destroy();
      },
      this.timeoutMs + transferMs(request),
    ).unref();
    this.awaited.set(raw, reply);
    // Emitted once the body has been read, and if the connection breaks.
    raw.once('close', () => {
      clearTimeout(timer);
      this.awaited.delete(raw);
    });
  }

  /** The request is being answered, so its body no longer matters. */
  answered({ raw }: FastifyRequest): void {
    this.awaited.delete(raw);
  }

  /**
   * Refuses the request that has waited longest for its body.
   *
   * @returns the request, or `undefined` if the bodies of all such requests have arrived
   */
  giveUpOldest(problem: Problem, isSuch: (request: FastifyRequest) => boolean): FastifyRequest | undefined {
    for (const [raw, reply] of this.awaited) {
      if (raw.complete || !isSuch(reply.request)) continue;
      this.giveUp(reply.request, reply, problem);
      return reply.request;
    }
    return undefined;
  }

  private giveUp(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
    this.awaited.delete(request.raw);
    sendProblem(problem, request, reply);
  }
}

const TOO_SLOW = new Problem({
  status: 408,
  detail: 'The body arrived too slowly.',
  headers: { connection: 'close' },
});

/** In milliseconds. A body of unknown length counts as the largest that its route accepts. */
function transferMs({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  return Math.min(Number(headers['content-length'] ?? bodyLimit), bodyLimit) / MIN_BYTES_PER_MS;
}
