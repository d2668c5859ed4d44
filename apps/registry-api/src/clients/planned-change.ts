import type { ClientMetadata, TemporaryUri } from '@svc/client-metadata';
import type { Actor } from '../http/current-caller.js';
import type { HashedSecret } from '../secrets/secret-hasher.js';
import type { RestorableClient } from './restorable-clients.js';
import { newestAccepted, type StoredClient, type StoredSecret } from './stored-client.js';

/** What is stored of a new client_secret. */
export type NewSecret = HashedSecret & {
  readonly hint: string;
  /** Null: never. */
  readonly expiresAt: Date | null;
  /** Whether an import supplied it. */
  readonly isImported?: boolean;
  /** The hash of another product, accepted until a date. */
  readonly foreign?: { readonly hash: string; readonly scheme: string; readonly until: Date };
};

/** What manages a Client: users of the API and the console, developers, imports, or a named set of declarations. */
export type Manager = 'users' | 'developers' | 'import' | `set:${string}`;

/** What a registration stores. */
export interface NewClient {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
  /** Codes of the metadata's warnings, each once. */
  readonly warnings: readonly string[];
  readonly cookieName: string;
  readonly managedBy: Manager;
  /** Who registers it. */
  readonly registeredBy: Pick<Actor, 'id' | 'name'>;
  /** Absent: the Client has none (RFC 7591 section 3.2.1). */
  readonly secret?: NewSecret | undefined;
  /** Whether it stays disabled until an administrator enables it. */
  readonly isPending?: boolean;
  /** The registration access token of a Client that a developer registers. */
  readonly registration?: { readonly tokenHash: Buffer; readonly expiresAt: Date | null } | undefined;
}

/** How a new client_secret replaces the previous one; both in seconds. */
export interface Rotation {
  /** How long the previous secret stays valid; 0: not at all. */
  readonly overlap: number;
  /** The new secret's lifetime; absent: the longest allowed one. */
  readonly expiresIn?: number | undefined;
}

/** The revision after a change that is not stored yet. */
export const PENDING = 'pending';

/** A valid change of one Client, ready to be stored. It takes effect on the state `before` only. */
export type PlannedChange =
  | {
      readonly kind: 'registered';
      readonly client: NewClient;
      /** A deleted Client with the same id, which can no longer be restored then. */
      readonly replaces?: RestorableClient;
    }
  | {
      readonly kind: 'updated';
      readonly before: StoredClient;
      readonly metadata: ClientMetadata;
      /** The temporary redirect URIs after the change; null: none. */
      readonly temporaryUris: readonly TemporaryUri[] | null;
      readonly warnings: readonly string[];
      /** Takes the Client over; absent: its manager stays. */
      readonly managedBy?: Manager | undefined;
      /** Replaces all secrets; null removes them; absent keeps them. */
      readonly secret?: NewSecret | null;
    }
  | { readonly kind: 'enabled'; readonly before: StoredClient }
  | {
      readonly kind: 'disabled';
      readonly before: StoredClient;
      readonly isUnused?: true;
      /** It awaits approval again. */
      readonly isPending?: true;
    }
  | {
      readonly kind: 'secret_rotated';
      readonly before: StoredClient;
      readonly secret: NewSecret;
      /** Until when the newest secret that is still accepted stays valid; null: not at all. */
      readonly formerUntil: Date | null;
    }
  | { readonly kind: 'deleted'; readonly before: StoredClient; readonly because?: 'unused' | 'not_approved' }
  /**
   * A deleted Client is restored: `before` is as it comes back, disabled, pending if it was, and without secrets; its revision is
   * the deletion's.
   */
  | { readonly kind: 'restored'; readonly before: StoredClient };

export function clientIdOf(change: PlannedChange): string {
  return change.kind === 'registered' ? change.client.clientId : change.before.clientId;
}

/**
 * The Client after a change.
 *
 * @param revision the change's position
 * @returns undefined after a deletion
 */
export function stateAfter(change: PlannedChange, revision: string, at: Date): StoredClient | undefined {
  switch (change.kind) {
    case 'registered': {
      const {
        clientId,
        metadata,
        warnings,
        cookieName,
        managedBy,
        registeredBy,
        secret,
        isPending = false,
      } = change.client;
      const origin = { managedBy, registeredBy: registeredBy.id, registeredByName: registeredBy.name };
      const switched = { enabled: !isPending, isPending, unusedAt: null };
      const state = { ...switched, revision, createdAt: at, updatedAt: at, ...origin };
      const stored = { clientId, metadata, temporaryUris: null, warnings, cookieName };
      return { ...stored, ...state, secrets: storedSecrets(secret, at) };
    }
    case 'updated': {
      const { before, metadata, temporaryUris, warnings, secret, managedBy = before.managedBy } = change;
      const secrets = secret === undefined ? before.secrets : storedSecrets(secret, at);
      return { ...before, metadata, temporaryUris, warnings, managedBy, secrets, revision, updatedAt: at };
    }
    case 'enabled':
      return {
        ...change.before,
        ...{ enabled: true, isPending: false, unusedAt: null, revision, updatedAt: at },
      };
    case 'disabled':
      return {
        ...change.before,
        ...{ enabled: false, isPending: change.isPending === true, unusedAt: change.isUnused ? at : null },
        ...{ revision, updatedAt: at },
      };
    case 'secret_rotated': {
      const { before, secret, formerUntil } = change;
      const former = formerUntil && newestAccepted(before, at.getTime());
      const kept = former ? [{ ...former, expiresAt: formerUntil.toISOString() }] : [];
      return { ...before, revision, updatedAt: at, secrets: [storedSecret(secret, at), ...kept] };
    }
    case 'restored':
      return { ...change.before, revision, updatedAt: at };
    case 'deleted':
      return undefined;
  }
}

function storedSecrets(secret: NewSecret | null | undefined, at: Date): StoredSecret[] {
  return secret ? [storedSecret(secret, at)] : [];
}

function storedSecret({ hint, expiresAt, isImported = false, foreign }: NewSecret, at: Date): StoredSecret {
  const times = { createdAt: at.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
  const foreignUntil = foreign?.until.toISOString() ?? null;
  const origin = { isImported, foreignScheme: foreign?.scheme ?? null, foreignUntil };
  return { hint, ...times, lastUsedAt: null, ...origin };
}
