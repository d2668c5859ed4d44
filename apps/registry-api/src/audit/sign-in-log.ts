import type { Principal } from '@svc/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { actorOf, unknownCaller } from '../security-events/security-event.js';
import type { SecurityEvents } from '../security-events/security-events.js';
import type { Zones } from './lookup-file.js';

/** A token in continued use from one address is logged again after this time. */
const LOGGED_FOR_MS = 60 * 60_000;

/** Remembered pairs of token and address; beyond this, the one logged longest ago is dropped. */
const MAX_REMEMBERED = 10_000;

/** The challenge of RFC 6750 section 3.1. */
const MISSING_SCOPE = /error="insufficient_scope", scope="([^"]*)"/;

/** Why a sign-in was rejected. */
export type Refusal = 'token' | 'zone';

/**
 * Logs who uses the API from where: a line when a token is used from an address for the first time in an hour, and one for each
 * request that is refused because of its token or zone. No line contains a token. Refusals, and sign-ins of an issuer's users, are
 * security events, too.
 */
export class SignInLog {
  /** When each pair was logged, in milliseconds; the oldest first. */
  private readonly logged = new Map<string, number>();
  private readonly lines: Logger;

  /** @param zones absent when no lookup file is configured */
  constructor(
    logger: Logger,
    private readonly events: SecurityEvents,
    private readonly zones?: Zones,
  ) {
    // None of the fields below is secret, so they need no redaction.
    this.lines = logger.child({}, { redact: [] });
  }

  /** Logs the requests of a service. */
  follow(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      if (request.principal) this.answered(request, request.principal, reply);
      else if (reply.statusCode === 401 && request.headers.authorization !== undefined) {
        this.refused(request, 'token');
      }
      done();
    });
  }

  refused(request: FastifyRequest, reason: Refusal): void {
    this.lines.warn({ reason, ...this.originOf(request) }, 'sign-in rejected');
    const details = { reason };
    this.events.record({ kind: 'credential_refused', actor: unknownCaller(request.ip), details });
  }

  private answered(request: FastifyRequest, principal: Principal, reply: FastifyReply): void {
    this.used(request, principal, performance.now());
    const [, scope] = MISSING_SCOPE.exec(String(reply.getHeader('www-authenticate') ?? '')) ?? [];
    if (reply.statusCode !== 403 || scope === undefined) return;
    const actor = actorOf(principal, request.ip);
    this.events.record({ kind: 'credential_refused', actor, details: { reason: 'scope', scope } });
  }

  private used(request: FastifyRequest, principal: Principal, nowMs: number): void {
    const { id, name, issuer = '' } = principal;
    const pair = `${issuer} ${id} ${request.ip}`;
    const loggedAt = this.logged.get(pair);
    if (loggedAt !== undefined && nowMs - loggedAt < LOGGED_FOR_MS) return;
    this.logged.delete(pair);
    this.logged.set(pair, nowMs);
    if (this.logged.size > MAX_REMEMBERED) this.dropOldest();
    this.lines.info({ principal_id: id, principal: name, ...this.originOf(request) }, 'a token is in use');
    // Using an API token is not a user's sign-in; its creation and first use are recorded elsewhere.
    if (issuer !== '') this.events.record({ kind: 'signed_in', actor: actorOf(principal, request.ip) });
  }

  private dropOldest(): void {
    const [oldest] = this.logged.keys();
    if (oldest !== undefined) this.logged.delete(oldest);
  }

  private originOf({ id, ip }: FastifyRequest): Record<string, unknown> {
    return { request_id: id, address: ip, zone: this.zones?.zoneOf(ip) };
  }
}
