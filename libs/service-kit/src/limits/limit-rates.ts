import type { FastifyInstance } from 'fastify';
import type { Counter } from 'prom-client';
import { Problem } from '../problem/problem.js';
import { sendProblem } from '../problem/problem.filter.js';
import { callerNetwork } from './caller-network.js';
import { type Rate, RateLimiter } from './rate-limiter.js';

/** null: no limit. */
export interface RateLimits {
  /** Per API token, or per subject of access tokens; without a token, per address. */
  readonly perToken: Rate | null;
  /** Per address (IPv6: per /64), for all requests except health probes. */
  readonly perAddress: Rate | null;
}

/** More than well-behaved users and programs need, less than what would saturate a process. */
export const DEFAULT_RATE_LIMITS: RateLimits = {
  perToken: { count: 3_000, perMs: 1_000 },
  perAddress: { count: 3_000, perMs: 1_000 },
};

/** Counts refused requests by the limit that they exceeded. */
export type RefusalCounter = Counter<'limit'>;

/** Answers 429 to addresses beyond the rate, before any other work. */
export function limitAddresses(fastify: FastifyInstance, rate: Rate | null, refusals?: RefusalCounter): void {
  if (!rate) return;
  const limiter = new RateLimiter(rate);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.unlimited === true) return done();
    const waitMs = limiter.take(callerNetwork(request.ip), performance.now());
    if (waitMs === 0) return done();
    refusals?.inc({ limit: 'address' });
    sendProblem(tooMany('address', waitMs), request, reply);
  });
}

/** Refuses requests beyond a token's rate. */
export class TokenLimit {
  private readonly tokens: RateLimiter | undefined;
  /** Of their own, so that many addresses cannot make it forget tokens. */
  private readonly addresses: RateLimiter | undefined;

  constructor(
    rate: Rate | null,
    private readonly refusals?: RefusalCounter,
  ) {
    if (!rate) return;
    this.tokens = new RateLimiter(rate);
    this.addresses = new RateLimiter(rate);
  }

  /** @throws {Problem} 429 */
  take(principalId: string): void {
    this.takeFrom(this.tokens, principalId, 'token');
  }

  /** For callers without a token, who have only their address in common. @throws {Problem} 429 */
  takeAnonymous(address: string): void {
    this.takeFrom(this.addresses, callerNetwork(address), 'address');
  }

  private takeFrom(limiter: RateLimiter | undefined, key: string, limit: 'token' | 'address'): void {
    const waitMs = limiter?.take(key, performance.now()) ?? 0;
    if (waitMs === 0) return;
    this.refusals?.inc({ limit });
    throw tooMany(limit, waitMs);
  }
}

/** RFC 6585 section 4; Retry-After in whole seconds (RFC 9110 section 10.2.3). */
function tooMany(by: 'token' | 'address', waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1_000);
  return new Problem({
    status: 429,
    detail: `Too many requests from this ${by}; try again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  });
}
