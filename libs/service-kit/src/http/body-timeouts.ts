import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';

/** How long any body may take to arrive, in milliseconds, and the rate at which a large one must. */
const PATIENCE_MS = 15_000;
const BYTES_PER_MS = 64;

/** Requests that wait for the rest of their bodies. */
export class BodyTimeouts {
  /** Those not yet answered, oldest first. */
  private readonly awaited = new Map<IncomingMessage, FastifyReply>();

  /** Answers with 408 when the body is late. What has been answered by then loses its connection. */
  add(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request;
    const timer = setTimeout(() => {
      if (raw.complete) return;
      if (this.awaited.has(raw)) this.giveUp(request, reply, TOO_SLOW);
      else raw.socket.destroy();
    }, patienceWith(request)).unref();
    this.awaited.set(raw, reply);
    // It comes once the body was read, whoever did, and when the connection breaks.
    raw.once('close', () => {
      clearTimeout(timer);
      this.awaited.delete(raw);
    });
  }

  /** The request is being answered: it waits for nothing any more. */
  answered({ raw }: FastifyRequest): void {
    this.awaited.delete(raw);
  }

  /**
   * Gives up the request that has waited longest.
   *
   * @returns its reply, or nothing when all bodies have arrived
   */
  giveUpOldest(problem: Problem): FastifyReply | undefined {
    for (const [raw, reply] of this.awaited) {
      if (raw.complete) continue;
      this.giveUp(reply.request, reply, problem);
      return reply;
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
  detail: 'The body came too slowly.',
  headers: { connection: 'close' },
});

/** In milliseconds. A body of unknown length may be as large as its route takes. */
function patienceWith({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  const announced = Math.min(Number(headers['content-length'] ?? bodyLimit), bodyLimit);
  return PATIENCE_MS + announced / BYTES_PER_MS;
}
