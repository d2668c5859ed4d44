import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Actor, type AuditLog, senderOf } from './audit-log.js';

/** Why a token was refused: it is invalid, lacks a scope (`forbidden`), or does not cover the library or lookup. */
export type RefusalReason = 'unknown' | 'expired' | 'revoked' | 'forbidden' | 'library' | 'lookup';

/** A token that is no longer valid, or never was. */
export interface EndedToken {
  readonly reason: 'unknown' | 'expired' | 'revoked';
  readonly principal_id?: string;
  readonly principal?: string;
}

/** Refusals of the same kind are counted for this long after the first was recorded. */
const WINDOW_MS = 60_000;

/** Kinds counted at a time; further ones are not recorded until one of these has not been repeated for a window. */
const MAX_KINDS = 10_000;

interface Repeated {
  readonly reason: RefusalReason;
  readonly actor: Actor;
  count: number;
}

/** Records refused tokens: the first of its kind at once, repetitions as one line a minute with their number. */
export class RefusalLog {
  private readonly repeated = new Map<string, Repeated>();

  constructor(private readonly audit: AuditLog) {}

  /**
   * Records requests whose token is invalid or lacks a scope.
   *
   * @param explain why the request's token is invalid
   */
  follow(fastify: FastifyInstance, explain: (request: FastifyRequest) => EndedToken): void {
    fastify.addHook('onResponse', (request, { statusCode }, done) => {
      if (statusCode === 401 && request.headers.authorization !== undefined) {
        const { reason, ...owner } = explain(request);
        this.add(reason, { ...senderOf(request), ...owner }, undefined);
      } else if (statusCode === 403 && request.principal) {
        this.add('forbidden', senderOf(request), request.routeOptions.url);
      }
      done();
    });
    const timer = setInterval(() => this.flush(), WINDOW_MS);
    timer.unref();
    fastify.addHook('onClose', async () => {
      clearInterval(timer);
      this.flush();
    });
  }

  /** @param target what was asked for */
  add(reason: RefusalReason, actor: Actor, target: string | undefined): void {
    const kind = JSON.stringify([reason, actor.principal_id, actor.address]);
    const known = this.repeated.get(kind);
    if (known) {
      known.count += 1;
      return;
    }
    if (this.repeated.size >= MAX_KINDS) return;
    const { request_id: _, ...sender } = actor;
    this.repeated.set(kind, { reason, actor: sender, count: 0 });
    this.write({ reason, actor, count: 1 }, target);
  }

  /** Writes how often each kind was repeated, and forgets kinds that were not. */
  flush(): void {
    for (const [kind, entry] of this.repeated) {
      if (entry.count === 0) this.repeated.delete(kind);
      else this.write(entry);
      entry.count = 0;
    }
  }

  private write({ reason, actor, count }: Repeated, target?: string): void {
    this.audit.record('token.refused', actor, { outcome: 'refused', target, reason, details: { count } });
  }
}
