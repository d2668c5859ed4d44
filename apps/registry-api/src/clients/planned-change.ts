import type { ClientMetadata } from '@svc/client-metadata';
import type { HashedSecret } from '../secrets/secret-hasher.js';
import type { StoredClient, StoredSecret } from './stored-client.js';

/** What is stored of a new client_secret. */
export type NewSecret = HashedSecret & { readonly hint: string };

/** What a registration stores. */
export interface NewClient {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
  /** Codes of the metadata's warnings, each once. */
  readonly warnings: readonly string[];
  readonly cookieName: string;
  /** Absent: the Client has none (RFC 7591 section 3.2.1). */
  readonly secret?: NewSecret | undefined;
  /** Of a Client that a developer registers: what its registration access token is known by. */
  readonly registrationTokenHash?: Buffer | undefined;
}

/** Stands for the sequence number of a change that is not stored yet; no caller knows it. */
export const PENDING = 'pending';

/** A change of one Client, judged and ready to be stored. It takes effect on the state `before` only. */
export type PlannedChange =
  | { readonly kind: 'registered'; readonly client: NewClient }
  | {
      readonly kind: 'updated';
      readonly before: StoredClient;
      readonly metadata: ClientMetadata;
      readonly warnings: readonly string[];
      /** The only secret from now on; null: there is none any more. Absent: the secrets stay. */
      readonly secret?: NewSecret | null;
    }
  | { readonly kind: 'enabled' | 'disabled'; readonly before: StoredClient }
  | {
      readonly kind: 'secret_rotated';
      readonly before: StoredClient;
      readonly secret: NewSecret;
      /** Until when the former secret stays valid; null: no longer. */
      readonly formerUntil: Date | null;
    }
  | { readonly kind: 'deleted'; readonly before: StoredClient };

export function clientIdOf(change: PlannedChange): string {
  return change.kind === 'registered' ? change.client.clientId : change.before.clientId;
}

/**
 * The Client as a change leaves it.
 *
 * @param seq the change's sequence number
 * @returns nothing after a deletion
 */
export function stateAfter(change: PlannedChange, seq: string, at: Date): StoredClient | undefined {
  switch (change.kind) {
    case 'registered': {
      const { clientId, metadata, warnings, cookieName, secret } = change.client;
      const state = { enabled: true, seq, createdAt: at, updatedAt: at };
      return { clientId, metadata, warnings, cookieName, ...state, secrets: keptIfAny(secret, at) };
    }
    case 'updated': {
      const { before, metadata, warnings, secret } = change;
      const secrets = secret === undefined ? before.secrets : keptIfAny(secret, at);
      return { ...before, metadata, warnings, secrets, seq, updatedAt: at };
    }
    case 'enabled':
    case 'disabled':
      return { ...change.before, enabled: change.kind === 'enabled', seq, updatedAt: at };
    case 'secret_rotated': {
      const { before, secret, formerUntil } = change;
      const former = formerUntil ? before.secrets.slice(0, 1).map(endingAt(formerUntil)) : [];
      return { ...before, seq, updatedAt: at, secrets: [kept(secret, at), ...former] };
    }
    case 'deleted':
      return undefined;
  }
}

function keptIfAny(secret: NewSecret | null | undefined, at: Date): StoredSecret[] {
  return secret ? [kept(secret, at)] : [];
}

function kept({ hint }: NewSecret, at: Date): StoredSecret {
  return { hint, createdAt: at.toISOString(), expiresAt: null, lastUsedAt: null };
}

function endingAt(time: Date): (secret: StoredSecret) => StoredSecret {
  return (secret) => ({ ...secret, expiresAt: time.toISOString() });
}
