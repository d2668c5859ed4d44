import { Injectable } from '@nestjs/common';
import type { FirstUse } from '../database/last-use-recorder.js';
import { onCommit, type Transaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';
import type { RegistryPrincipal } from '../http/registry-principal.js';
import { actorOf, type EventActor, REGISTRY, type SecurityEvent } from '../security-events/security-event.js';
import { SecurityEvents } from '../security-events/security-events.js';
import type { ApiToken } from './api-token.entity.js';
import { selectorMembers } from './token-restrictions.dto.js';
import type { NewToken } from './tokens.repository.js';

/** Who asks for a token, or revokes one, and from where. */
export interface LocatedPrincipal extends RegistryPrincipal {
  readonly address: string;
}

/** A token that was just revoked. */
export type RevokedToken = ApiToken & { readonly formerHash: Buffer };

export type ExpiredToken = Pick<ApiToken, 'id' | 'name' | 'uses' | 'maxUses'> & { readonly expiresAt: Date };

const REFUSALS = ['scope_not_held', 'restriction_not_held', 'invalid_restriction'];

/** Records what happens to API tokens. */
@Injectable()
export class TokenEvents {
  private forget: (hash: Buffer) => void = () => undefined;

  constructor(private readonly events: SecurityEvents) {}

  /** @param forget called after each revocation with the token's former hash */
  onRevoked(forget: (hash: Buffer) => void): void {
    this.forget = forget;
  }

  created(transaction: Transaction, token: ApiToken, creator: LocatedPrincipal): void {
    this.events.add(transaction, tokenCreated(token, actorOf(creator, creator.address)));
  }

  revoked(transaction: Transaction, tokens: readonly RevokedToken[], caller: LocatedPrincipal): void {
    const actor = actorOf(caller, caller.address);
    onCommit(transaction, () => tokens.forEach(({ formerHash }) => this.forget(formerHash)));
    this.events.add(
      transaction,
      ...tokens.map(
        ({ id, name }) => ({ kind: 'token_revoked', actor, subject: id, details: { name } }) as const,
      ),
    );
  }

  firstUsed(transaction: Transaction, uses: readonly FirstUse[]): void {
    this.events.add(
      transaction,
      ...uses.map(({ id, name, at, address }) => {
        const actor = actorOf({ id, name }, address);
        return { kind: 'token_first_used', actor, subject: id, at } as const;
      }),
    );
  }

  expired(transaction: Transaction, tokens: readonly ExpiredToken[]): void {
    this.events.add(
      transaction,
      ...tokens.map(({ id, name, uses, maxUses, expiresAt }) => {
        const reason = maxUses !== null && uses >= maxUses ? 'max_uses' : 'expires_at';
        const details = { name, reason };
        return { kind: 'token_expired', actor: REGISTRY, subject: id, at: expiresAt, details } as const;
      }),
    );
  }

  networkRefused(token: RegistryPrincipal, address: string): void {
    const actor = actorOf(token, address);
    this.events.record({
      kind: 'credential_refused',
      actor,
      subject: token.id,
      details: { reason: 'network' },
    });
  }

  /** Records that a token would have been allowed too much. Rethrows every error. */
  async creating<T>(wanted: NewToken, creator: LocatedPrincipal, create: () => Promise<T>): Promise<T> {
    try {
      return await create();
    } catch (error) {
      if (error instanceof RegistryError && REFUSALS.includes(error.code)) {
        const { scopes, restrictions } = wanted;
        this.events.record({
          kind: 'token_refused',
          actor: actorOf(creator, creator.address),
          details: {
            reason: error.code,
            scopes,
            ...(restrictions.selector && selectorMembers(restrictions.selector)),
            ...(restrictions.networks && { networks: restrictions.networks }),
          },
        });
      }
      throw error;
    }
  }
}

/** The creation of a token, with all that it may do. */
export function tokenCreated(token: ApiToken, actor: EventActor): SecurityEvent {
  const { id, name, scopes, selector, networks, maxUses, maxRegistrations, registrationsPerDay, expiresAt } =
    token;
  return {
    ...{ kind: 'token_created', actor, subject: id },
    details: {
      ...{ name, scopes },
      ...(selector && selectorMembers(selector)),
      ...(networks && { networks }),
      ...(maxUses !== null && { max_uses: maxUses }),
      ...(maxRegistrations !== null && { max_registrations: maxRegistrations }),
      ...(registrationsPerDay !== null && { registrations_per_day: registrationsPerDay }),
      expires_at: expiresAt?.toISOString() ?? null,
    },
  };
}
