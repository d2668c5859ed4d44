import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import { pathOf } from '../request/request-head.js';
import { Problem } from '../problem/problem.js';
import { callerNetwork } from './caller-network.js';

/** Invalid tokens from one address that are answered without delay. */
const FREE_ATTEMPTS = 10;

/** An address that has sent no invalid token for this long starts afresh. */
const FORGET_MS = 60_000;

/** How long the answer to each further invalid token is delayed. */
const DELAY_MS = 250;

/** Delayed answers at a time: a small part of the requests in flight, so that invalid tokens cannot use them up. */
const MAX_DELAYED = 20;

/** Addresses remembered; beyond, the least recently active is forgotten. */
const MAX_ADDRESSES = 10_000;

interface Failures {
  readonly count: number;
  readonly at: number;
}

/**
 * Counts invalid tokens and slows down addresses that keep sending them. Only 401 answers to a token are delayed, so callers with
 * a valid one behind the same address are unaffected. When too many answers are delayed, further ones become 429.
 */
export class InvalidTokens {
  private readonly failures = new Map<string, Failures>();
  private delayed = 0;

  constructor(
    private readonly logger: Logger,
    private readonly counter?: Counter,
  ) {}

  note(address: string, nowMs: number): 'answer' | 'delay' | 'refuse' {
    this.counter?.inc();
    const count = this.countOf(address, nowMs) + 1;
    this.failures.delete(address);
    this.failures.set(address, { count, at: nowMs });
    if (this.failures.size > MAX_ADDRESSES) this.forgetOldest();
    if (count <= FREE_ATTEMPTS) return 'answer';
    if (count === FREE_ATTEMPTS + 1)
      this.logger.warn({ address }, 'this address keeps sending invalid tokens');
    return this.delayed < MAX_DELAYED ? 'delay' : 'refuse';
  }

  /** Calls back after the delay. */
  delay(callback: () => void): void {
    this.delayed += 1;
    setTimeout(() => {
      this.delayed -= 1;
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

const INVALID = new WeakSet<FastifyRequest>();

/** For a handler that refuses an invalid secret with a status other than 401: it is counted and throttled as well. */
export function countAsInvalidToken(request: FastifyRequest): void {
  INVALID.add(request);
}

/** Counts 401 answers to requests with credentials, whether they come from the guard or a handler. */
export function throttleInvalidTokens(fastify: FastifyInstance, invalidTokens: InvalidTokens): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const isRefused = reply.statusCode === 401 && request.headers.authorization !== undefined;
    if (!isRefused && !INVALID.has(request)) return done();
    const next = invalidTokens.note(callerNetwork(request.ip), performance.now());
    if (next === 'delay') return invalidTokens.delay(done);
    done(null, next === 'refuse' ? turnIntoRefusal(request, reply) : undefined);
  });
}

/** @returns the body that replaces that of the 401 */
function turnIntoRefusal({ id, url }: FastifyRequest, reply: FastifyReply): string {
  const detail = 'Too many invalid tokens from this address; try again in 1 s.';
  void reply
    .status(429)
    .header('retry-after', '1')
    .removeHeader('www-authenticate')
    .removeHeader('content-length');
  return JSON.stringify(new Problem({ status: 429, detail }).toDocument(pathOf(url), id));
}
