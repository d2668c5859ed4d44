import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { hasErrorCode } from '../errors/registry-error.js';
import type { Caller } from '../http/current-caller.js';
import { actorOf, REGISTRY, type SecurityEvent } from '../security-events/security-event.js';
import { SecurityEvents } from '../security-events/security-events.js';
import { RegistrationLimitError } from './registration-limits.js';

/** A Client all of whose registration access tokens have expired. */
export interface ExpiredRegistration {
  readonly clientId: string;
  readonly expiresAt: Date;
}

/** Records what happens to registration access tokens, and which registrations are refused. */
@Injectable()
export class RegistrationEvents {
  constructor(private readonly events: SecurityEvents) {}

  created(transaction: Transaction, clientId: string, caller: Caller, expiresAt: Date | null): void {
    const details = { expires_at: expiresAt?.toISOString() ?? null };
    this.add(transaction, 'registration_token_created', clientId, caller, details);
  }

  revoked(transaction: Transaction, clientId: string, caller: Caller): void {
    this.add(transaction, 'registration_token_revoked', clientId, caller);
  }

  /** Each use renews a token, so repetitions within a minute are one event. */
  renewed(clientId: string, caller: Caller): void {
    const actor = actorOf(caller, caller.address);
    this.events.record({ kind: 'registration_token_renewed', actor, subject: clientId });
  }

  expired(transaction: Transaction, expired: readonly ExpiredRegistration[]): void {
    const events = expired.map(({ clientId: subject, expiresAt: at }): SecurityEvent => {
      return { kind: 'registration_token_expired', actor: REGISTRY, subject, at };
    });
    this.events.add(transaction, ...events);
  }

  /** Records that a limit refused a registration. Rethrows every error. */
  async registering<T>(caller: Caller, register: () => Promise<T>): Promise<T> {
    try {
      return await register();
    } catch (error) {
      const limit = error instanceof RegistrationLimitError ? error.limit : undefined;
      const reason = hasErrorCode(error, 'registration_quota') ? 'quota' : limit;
      if (reason !== undefined) {
        const actor = actorOf(caller, caller.address);
        this.events.record({ kind: 'registration_refused', actor, details: { reason } });
      }
      throw error;
    }
  }

  private add(
    transaction: Transaction,
    kind: SecurityEvent['kind'],
    subject: string,
    caller: Caller,
    details: SecurityEvent['details'] = {},
  ): void {
    this.events.add(transaction, { kind, actor: actorOf(caller, caller.address), subject, details });
  }
}
