import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import { pathOf } from '../request/request-head.js';
import { Problem } from '../problem/problem.js';
import { callerNetwork } from './caller-network.js';

/** Wrong tokens of one address that are answered at once, in the time after which all is forgotten. */
const FREE = 10;

/** An address that has sent no wrong token for so long starts afresh, in milliseconds. */
const FORGET_MS = 60_000;

/** How long the answer to a further wrong token waits, in milliseconds. */
const DELAY_MS = 250;

/** Answers that wait at once: a small part of the requests under way, so that wrong tokens cannot use them up. */
const MAX_WAITING = 20;

/** Addresses remembered; beyond, the one that has been silent longest is forgotten. */
const MAX_ADDRESSES = 10_000;

interface Failures {
  readonly count: number;
  readonly at: number;
}

/**
 * Counts wrong tokens, and slows an address that goes on sending them. Only answers that say 401 to a token wait, so a
 * caller with a valid one behind the same address is never held up. What cannot wait any more gets 429.
 */
export class InvalidTokens {
  private readonly failures = new Map<string, Failures>();
  private waiting = 0;

  constructor(
    private readonly logger: Logger,
    private readonly counter?: Counter,
  ) {}

  /** @returns how to go on: answer now, answer after a delay, or refuse */
  note(address: string, nowMs: number): 'answer' | 'delay' | 'refuse' {
    this.counter?.inc();
    const count = this.countOf(address, nowMs) + 1;
    this.failures.delete(address);
    this.failures.set(address, { count, at: nowMs });
    if (this.failures.size > MAX_ADDRESSES) this.forgetOldest();
    if (count <= FREE) return 'answer';
    if (count === FREE + 1) this.logger.warn({ address }, 'this address goes on sending wrong tokens');
    return this.waiting < MAX_WAITING ? 'delay' : 'refuse';
  }

  /** Calls back after the delay; the answer counts as waiting until then. */
  delay(callback: () => void): void {
    this.waiting += 1;
    setTimeout(() => {
      this.waiting -= 1;
      callback();
    }, DELAY_MS);
  }

  private countOf(address: string, nowMs: number): number {
    const known = this.failures.get(address);
    return known && nowMs - known.at < FORGET_MS ? known.count : 0;
  }

  private forgetOldest(): void {
    const [oldest] = this.failures.keys();
    if (oldest !== undefined) this.failures.delete(oldest);
  }
}

const WRONG = new WeakSet<FastifyRequest>();

/** For a handler that refuses a secret of its own with another status than 401: the answer is slowed and counted as well. */
export function countAsInvalidToken(request: FastifyRequest): void {
  WRONG.add(request);
}

/** Watches for answers of 401 to requests with credentials, whoever gave them: the guard, or a handler of its own. */
export function throttleInvalidTokens(fastify: FastifyInstance, wrongTokens: InvalidTokens): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const isRefused = reply.statusCode === 401 && request.headers.authorization !== undefined;
    if (!isRefused && !WRONG.has(request)) return done();
    const next = wrongTokens.note(callerNetwork(request.ip), performance.now());
    if (next === 'delay') return wrongTokens.delay(done);
    done(null, next === 'refuse' ? turnIntoRefusal(request, reply) : undefined);
  });
}

/** @returns the body in the place of the one that says 401 */
function turnIntoRefusal({ id, url }: FastifyRequest, reply: FastifyReply): string {
  const detail = 'Too many wrong tokens from this address; try again in 1 s.';
  void reply
    .status(429)
    .header('retry-after', '1')
    .removeHeader('www-authenticate')
    .removeHeader('content-length');
  return JSON.stringify(new Problem({ status: 429, detail }).toDocument(pathOf(url), id));
}
