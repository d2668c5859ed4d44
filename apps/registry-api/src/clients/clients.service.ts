import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  type Audience,
  type ClientMetadata,
  judgeRegistration,
  type Judgement,
  judgeUpdate,
} from '@svc/client-metadata';
import { RegistrySettings } from '../registry-settings.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import type { Actor } from './actor.js';
import { toClientDocument } from './client-document.js';
import { fromCursor, type Page, toCursor } from './client-page.js';
import {
  ClientChangedError,
  ClientExistsError,
  ClientNotFoundError,
  InvalidClientError,
} from './client.errors.js';
import { ClientStore } from './client.store.js';
import { cookieNameOf, hintOf, newClientId, newClientSecret } from './credentials.js';
import type { StoredClient } from './stored-client.js';

/** A Client just registered, and its secret, which nobody can read again. */
export interface RegisteredClient {
  readonly client: StoredClient;
  readonly secret: string;
}

/** Who registers, and how they manage the Client afterwards. */
export interface RegisterOptions {
  readonly audience?: Audience;
  /** What the registration access token is known by. */
  readonly registrationTokenHash?: Buffer;
}

/** Whether the Client's state, told by its sequence number, is one that the caller wants to change. */
export type Precondition = (seq: string) => boolean;

/** Every string that registration could have accepted as a client_id (VSCHAR, RFC 6749 appendix A.1). */
const CLIENT_ID = /^[\x20-\x7e]{1,255}$/;

@Injectable()
export class ClientsService {
  constructor(
    private readonly clients: ClientStore,
    private readonly hasher: SecretHasher,
    private readonly settings: RegistrySettings,
  ) {}

  /** @throws {InvalidClientError | ClientExistsError} */
  async register(
    body: unknown,
    actor: Actor,
    { audience = 'admin', registrationTokenHash }: RegisterOptions = {},
  ): Promise<RegisteredClient> {
    const judgement = judgeRegistration(body, this.settings.capabilities, { audience });
    const metadata = metadataOf(judgement);
    const clientId = (judgement.valid && judgement.preferredClientId) || newClientId();
    const cookieName = cookieNameOf(this.settings.cookiePrefix, clientId);
    const secret = newClientSecret();
    const hint = hintOf(secret);
    const at = new Date();
    const hashed = { ...this.hasher.hash(secret), hint };
    const made = { clientId, metadata, cookieName, secret: hashed, registrationTokenHash };
    const seq = await this.clients.register(made, at, actor);
    if (seq === undefined) throw new ClientExistsError(clientId);
    const times = { createdAt: at, updatedAt: at, secretExpiresAt: null };
    return { client: { clientId, metadata, cookieName, seq, secretHint: hint, ...times }, secret };
  }

  /** @throws {ClientNotFoundError} */
  async find(clientId: string): Promise<StoredClient> {
    const client = CLIENT_ID.test(clientId) ? await this.clients.find(clientId) : undefined;
    if (!client) throw new ClientNotFoundError(clientId);
    return client;
  }

  /**
   * In the order of registration, so that a walk through all pages meets every Client that was there when it began.
   *
   * @param cursor `next` of the page before
   * @throws {InvalidCursorError}
   */
  async list(limit: number, cursor?: string): Promise<Page<StoredClient>> {
    const after = cursor === undefined ? undefined : fromCursor(cursor);
    const found = await this.clients.page(limit + 1, after);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return found.length > limit && last ? { items, next: toCursor(last) } : { items };
  }

  /**
   * Replaces what can be edited. A body that changes nothing leaves the Client, and its history, as they are.
   *
   * @throws {ClientNotFoundError | ClientChangedError | InvalidClientError}
   */
  async replace(
    clientId: string,
    body: unknown,
    actor: Actor,
    isWanted: Precondition,
    audience: Audience = 'admin',
  ): Promise<StoredClient> {
    const isCurrentSecret = await this.secretChecker(clientId, body);
    // Each further round means that somebody else's change came first.
    for (;;) {
      const before = await this.wanted(clientId, isWanted);
      const { capabilities } = this.settings;
      const current = toClientDocument(before, capabilities);
      const metadata = metadataOf(judgeUpdate(current, body, capabilities, { audience, isCurrentSecret }));
      if (isDeepStrictEqual(metadata, before.metadata)) return before;
      const updatedAt = new Date();
      const seq = await this.clients.replace(before, metadata, updatedAt, actor);
      if (seq !== undefined) return { ...before, metadata, seq, updatedAt };
    }
  }

  /** The history stays. @throws {ClientNotFoundError | ClientChangedError} */
  async remove(clientId: string, actor: Actor, isWanted: Precondition): Promise<void> {
    for (;;) {
      const client = await this.wanted(clientId, isWanted);
      if ((await this.clients.remove(client, new Date(), actor)) !== undefined) return;
    }
  }

  private async wanted(clientId: string, isWanted: Precondition): Promise<StoredClient> {
    const client = await this.find(clientId);
    if (!isWanted(client.seq)) throw new ClientChangedError(clientId);
    return client;
  }

  /** A body may carry a client_secret that is valid now; the stored hashes are read only when it carries one. */
  private async secretChecker(clientId: string, body: unknown): Promise<(secret: string) => boolean> {
    const carries = typeof body === 'object' && body !== null && Object.hasOwn(body, 'client_secret');
    const stored = carries && CLIENT_ID.test(clientId) ? await this.clients.secrets(clientId) : [];
    return (secret) => stored.some((hashed) => this.hasher.matches(secret, hashed));
  }
}

/** @throws {InvalidClientError} */
function metadataOf(judgement: Judgement): ClientMetadata {
  if (!judgement.valid) throw new InvalidClientError(judgement.problems);
  return judgement.metadata;
}
