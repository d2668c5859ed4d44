import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Zones } from './lookup-file.js';

/** A token in continued use from one address is logged again after this time. */
const LOGGED_FOR_MS = 60 * 60_000;

/** Pairs of token and address remembered; beyond, the one logged longest ago is dropped. */
const MAX_REMEMBERED = 10_000;

/** Why a sign-in was refused. */
export type Refusal = 'token' | 'zone';

/**
 * Logs who uses the API from where: a line when a token is used from an address for the first time in an hour, and one for each
 * request that is refused because of its token or zone. No line contains a token.
 */
export class SignInLog {
  /** When each pair was logged, in milliseconds; the oldest first. */
  private readonly logged = new Map<string, number>();
  private readonly lines: Logger;

  /** @param zones absent when no lookup file is configured */
  constructor(
    logger: Logger,
    private readonly zones?: Zones,
  ) {
    // None of the fields below is secret, so they need no redaction.
    this.lines = logger.child({}, { redact: [] });
  }

  /** Logs the requests of a service. */
  follow(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      if (request.principal) this.used(request, request.principal, performance.now());
      else if (reply.statusCode === 401 && request.headers.authorization !== undefined) {
        this.refused(request, 'token');
      }
      done();
    });
  }

  refused(request: FastifyRequest, reason: Refusal): void {
    this.lines.warn({ reason, ...this.originOf(request) }, 'a sign-in was refused');
  }

  private used(request: FastifyRequest, { id, name }: { id: string; name: string }, nowMs: number): void {
    const pair = `${id} ${request.ip}`;
    const loggedAt = this.logged.get(pair);
    if (loggedAt !== undefined && nowMs - loggedAt < LOGGED_FOR_MS) return;
    this.logged.delete(pair);
    this.logged.set(pair, nowMs);
    if (this.logged.size > MAX_REMEMBERED) this.dropOldest();
    this.lines.info({ principal_id: id, principal: name, ...this.originOf(request) }, 'a token is in use');
  }

  private dropOldest(): void {
    const [oldest] = this.logged.keys();
    if (oldest !== undefined) this.logged.delete(oldest);
  }

  private originOf({ id, ip }: FastifyRequest): Record<string, unknown> {
    return { request_id: id, address: ip, zone: this.zones?.zoneOf(ip) };
  }
}
