import type { createLogger } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import { CommanderError } from '../errors/commander-error.js';

/** What is recorded. */
export type AuditedEvent =
  | 'token.created'
  | 'token.revoked'
  | 'token.refused'
  | 'library.load'
  | 'library.rollback'
  | 'lookup.build'
  | 'lookup.sync'
  | 'lookup.delete'
  | 'lookup.rollback'
  | 'password.encrypt';

/** Who acted. The members are the line's own. */
export interface Actor {
  /** `hook` is the push hook of a git server; `interval` the server itself; `command` someone who ran svccmd. */
  readonly actor: 'token' | 'anonymous' | 'hook' | 'interval' | 'command';
  readonly principal_id?: string;
  readonly principal?: string;
  readonly address?: string;
  readonly request_id?: string;
}

/** What happened. */
export interface AuditedAct {
  readonly outcome: 'succeeded' | 'failed' | 'refused';
  /** The name of the library, lookup or token; absent for the unnamed library. */
  readonly target?: string | undefined;
  /** An error code, or why it was refused; absent on success. */
  readonly reason?: string;
  /** Counts and names, never values. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export const BY_INTERVAL: Actor = { actor: 'interval' };

/** The sender of a request, according to its token. */
export function senderOf({ id, ip, principal }: FastifyRequest): Actor {
  if (!principal) return { actor: 'anonymous', address: ip, request_id: id };
  return {
    actor: principal.id === 'anonymous' ? 'anonymous' : 'token',
    principal_id: principal.id,
    principal: principal.name,
    address: ip,
    request_id: id,
  };
}

/** Writes audit records as uniform log lines, at every log level except silent. */
export class AuditLog {
  private readonly lines: ReturnType<typeof createLogger>;

  constructor(logger: ReturnType<typeof createLogger>) {
    this.lines = logger.child({}, { level: logger.level === 'silent' ? 'silent' : 'info' });
  }

  record(event: AuditedEvent, actor: Actor, act: AuditedAct): void {
    this.lines.info({ event, ...act, ...actor }, 'audit');
  }

  /** Records the outcome of an act, which it returns. */
  async observe<T>(
    event: AuditedEvent,
    actor: Actor,
    target: string | undefined,
    run: () => Promise<T>,
    detailsOf: (result: T) => Readonly<Record<string, unknown>>,
  ): Promise<T> {
    try {
      const result = await run();
      this.record(event, actor, { outcome: 'succeeded', target, details: detailsOf(result) });
      return result;
    } catch (error) {
      this.record(event, actor, { outcome: 'failed', target, reason: reasonCode(error) });
      throw error;
    }
  }
}

/** The kind of an error: its words are in the log's other lines. */
export function reasonCode(error: unknown): string {
  return error instanceof CommanderError ? error.code : 'failed';
}
