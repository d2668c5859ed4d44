import { Injectable } from '@nestjs/common';
import type { ClientMetadata } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import type { HashedSecret } from '../secrets/secret-hasher.js';
import type { Actor } from './actor.js';
import type { PagePosition } from './client-page.js';
import {
  FIND,
  FIRST_PAGE,
  NEXT_PAGE,
  REGISTER,
  REGISTER_WITH_TOKEN,
  REMOVE,
  REPLACE,
  SECRETS,
} from './client-statements.js';
import type { StoredClient } from './stored-client.js';

/** What a registration stores. */
export interface NewClient {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
  readonly cookieName: string;
  readonly secret: HashedSecret & { readonly hint: string };
  /** Of a Client that a developer registers. */
  readonly registrationTokenHash?: Buffer | undefined;
}

/** The Clients' tables. Changes take effect only on the state that the caller has seen, told by its `seq`. */
@Injectable()
export class ClientStore {
  constructor(private readonly dataSource: DataSource) {}

  async find(clientId: string): Promise<StoredClient | undefined> {
    const [client] = await FIND.run(this.dataSource, [clientId]);
    return client;
  }

  /** In the order of registration. @param after where the page before ended */
  async page(limit: number, after?: PagePosition): Promise<StoredClient[]> {
    if (!after) return FIRST_PAGE.run(this.dataSource, [limit]);
    return NEXT_PAGE.run(this.dataSource, [limit, after.createdAt, after.clientId]);
  }

  /** The client's secrets that are valid now, oldest first. */
  async secrets(clientId: string): Promise<HashedSecret[]> {
    return SECRETS.run(this.dataSource, [clientId]);
  }

  /** @returns the change's sequence number; nothing when the client_id is taken */
  async register(client: NewClient, at: Date, actor: Actor): Promise<string | undefined> {
    const { clientId, metadata, cookieName, secret, registrationTokenHash } = client;
    const statement = registrationTokenHash ? REGISTER_WITH_TOKEN : REGISTER;
    const [made] = await statement.run(this.dataSource, [
      ...[clientId, JSON.stringify(metadata), cookieName, at],
      ...[secret.hash, secret.pepperId, secret.hint],
      ...[actor.id, actor.name, actor.address],
      ...(registrationTokenHash ? [registrationTokenHash] : []),
    ]);
    return made?.seq;
  }

  /** @returns the change's sequence number; nothing when the Client is no longer in that state */
  async replace(
    before: StoredClient,
    metadata: ClientMetadata,
    at: Date,
    actor: Actor,
  ): Promise<string | undefined> {
    const [changed] = await REPLACE.run(this.dataSource, [
      ...[before.clientId, before.seq, JSON.stringify(metadata), at],
      ...[actor.id, actor.name, actor.address, JSON.stringify(before.metadata)],
    ]);
    return changed?.seq;
  }

  /** @returns the change's sequence number; nothing when the Client is no longer in that state */
  async remove(client: StoredClient, at: Date, actor: Actor): Promise<string | undefined> {
    const [removed] = await REMOVE.run(this.dataSource, [
      ...[client.clientId, client.seq, at],
      ...[actor.id, actor.name, actor.address],
    ]);
    return removed?.seq;
  }
}
