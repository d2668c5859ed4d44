import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import type { Caller, Reach } from '../http/current-caller.js';
import { ChangePlanner, type OwnRegistration, type WithSecretIfAny } from './change-planner.js';
import { clientChanged, clientExists, clientNotFound } from './client.errors.js';
import { ClientStore } from './client.store.js';
import { isClientId } from './credentials.js';
import { clientIdOf, type PlannedChange, type Rotation, stateAfter } from './planned-change.js';
import { SecretChecks } from './secret-checks.js';
import type { StoredClient } from './stored-client.js';
import type { AddedUri } from './temporary-uris.js';

/** A Client with a new client_secret, which cannot be read again. */
export interface ClientWithSecret {
  readonly client: StoredClient;
  readonly secret: string;
}

/** A Client, and a new client_secret where it got one. */
export type ClientWithSecretIfAny = Omit<ClientWithSecret, 'secret'> & {
  readonly secret?: string | undefined;
};

/** Whether the caller wants to change a Client in this state. */
export type Precondition = (before: Pick<StoredClient, 'revision' | 'enabled' | 'isPending'>) => boolean;

/** Runs first in the transaction of a change; throws to refuse it. */
type Admit = (transaction: Transaction) => Promise<void>;

/** Whether a developer may still change the Client. */
export interface OwnAdmission {
  readonly isWanted: Precondition;
  readonly admit: Admit;
}

/** One Client at a time. A request that changes nothing leaves the ETag and the history as they are. */
@Injectable()
export class ClientsService {
  constructor(
    private readonly clients: ClientStore,
    private readonly planner: ChangePlanner,
    private readonly secretChecks: SecretChecks,
  ) {}

  /**
   * @param secretExpiresIn as for `ChangePlanner.register`
   * @throws {RegistryError | InvalidClientError} `client_exists`
   */
  async register(body: unknown, actor: Caller, secretExpiresIn?: number): Promise<ClientWithSecret> {
    const { change, secret } = this.planner.register(body, actor, secretExpiresIn);
    return { client: await this.registered(change, actor), secret };
  }

  /**
   * A registration by a developer.
   *
   * @throws {InvalidClientError}
   */
  async registerOwn(
    body: unknown,
    actor: Caller,
    registration: OwnRegistration,
    admit: Admit,
  ): Promise<ClientWithSecretIfAny> {
    const { change, secret } = this.planner.registerOwn(body, actor, registration);
    return { client: await this.registered(change, actor, admit), secret };
  }

  /** @throws {RegistryError} `client_not_found`, also for a Client that the caller does not reach */
  async find(clientId: string, reach: Reach): Promise<StoredClient> {
    const client = isClientId(clientId) ? await this.clients.find(clientId, reach) : undefined;
    if (!client) throw clientNotFound(clientId);
    return client;
  }

  /**
   * Replaces what can be edited.
   *
   * @throws {RegistryError | InvalidClientError} `client_not_found`, `client_changed`
   */
  async replace(
    clientId: string,
    body: unknown,
    actor: Caller,
    isWanted: Precondition,
  ): Promise<StoredClient> {
    const isCurrentSecret = await this.secretChecker(clientId, body);
    return this.change(clientId, actor, isWanted, (before) =>
      this.planner.replace(before, body, actor, { isCurrentSecret }),
    );
  }

  /**
   * A replacement by the developer who registered the Client, with a new secret where the change requires one.
   *
   * @throws {RegistryError | InvalidClientError} `client_not_found`, `client_changed`
   */
  async replaceOwn(
    clientId: string,
    body: unknown,
    actor: Caller,
    { isWanted, admit }: OwnAdmission,
  ): Promise<ClientWithSecretIfAny> {
    const isCurrentSecret = await this.secretChecker(clientId, body);
    const plan = (before: StoredClient) => this.planner.replaceOwn(before, body, actor, { isCurrentSecret });
    return this.changeWithSecret(clientId, actor, isWanted, plan, admit);
  }

  /**
   * @param patch a JSON Merge Patch (RFC 7396)
   * @throws {RegistryError | InvalidClientError} `client_not_found`, `client_changed`
   */
  async patch(
    clientId: string,
    patch: unknown,
    actor: Caller,
    isWanted: Precondition,
  ): Promise<StoredClient> {
    const isCurrentSecret = await this.secretChecker(clientId, patch);
    return this.change(clientId, actor, isWanted, (before) =>
      this.planner.patch(before, patch, actor, { isCurrentSecret }),
    );
  }

  /**
   * Adds one redirect URI, or changes when it ends.
   *
   * @throws {RegistryError | InvalidClientError} `client_not_found`, `client_changed`
   * @throws {RegistryError} `redirect_uri_permanent`, `too_many_temporary_uris`
   */
  async addRedirectUri(
    clientId: string,
    added: AddedUri,
    actor: Caller,
    isWanted: Precondition,
  ): Promise<StoredClient> {
    return this.change(clientId, actor, isWanted, (before) =>
      this.planner.addRedirectUri(before, added, actor),
    );
  }

  /** @throws {RegistryError | InvalidClientError} `client_not_found`, `client_changed` */
  async removeRedirectUri(
    clientId: string,
    uri: string,
    actor: Caller,
    isWanted: Precondition,
  ): Promise<StoredClient> {
    return this.change(clientId, actor, isWanted, (before) =>
      this.planner.removeRedirectUri(before, uri, actor),
    );
  }

  /** @throws {RegistryError} `client_not_found` */
  async removeExpiredUris(clientId: string, now: Date, actor: Caller): Promise<void> {
    const plan = (before: StoredClient) => this.planner.removeExpiredUris(before, now);
    await this.change(clientId, actor, () => true, plan);
  }

  /** Enables or disables. @throws {RegistryError} `client_not_found`, `client_changed` */
  async setEnabled(
    clientId: string,
    enabled: boolean,
    actor: Caller,
    isWanted: Precondition,
  ): Promise<StoredClient> {
    return this.change(clientId, actor, isWanted, (before) => this.planner.setEnabled(before, enabled));
  }

  /**
   * Makes a new client_secret. Of the previous ones, only the newest may stay valid.
   *
   * @throws {RegistryError | InvalidClientError} `client_not_found`, `client_changed`
   */
  async resetSecret(
    clientId: string,
    rotation: Rotation,
    actor: Caller,
    isWanted: Precondition,
  ): Promise<ClientWithSecret> {
    const { client, secret = '' } = await this.changeWithSecret(clientId, actor, isWanted, (before) =>
      this.planner.rotateSecret(before, rotation),
    );
    return { client, secret };
  }

  /** The history stays. @throws {RegistryError} `client_not_found`, `client_changed` */
  async remove(clientId: string, actor: Caller, isWanted: Precondition): Promise<void> {
    await this.change(clientId, actor, isWanted, (before) => ({ kind: 'deleted', before }));
  }

  /** A deletion by the developer who registered the Client. @throws {RegistryError} `client_not_found`, `client_changed` */
  async removeOwn(clientId: string, actor: Caller, { isWanted, admit }: OwnAdmission): Promise<void> {
    await this.change(clientId, actor, isWanted, (before) => ({ kind: 'deleted', before }), admit);
  }

  private async registered(change: PlannedChange, actor: Caller, admit?: Admit): Promise<StoredClient> {
    const client = await this.applied(change, actor, undefined, admit);
    if (!client) throw clientExists(clientIdOf(change));
    return client;
  }

  private async changeWithSecret(
    clientId: string,
    actor: Caller,
    isWanted: Precondition,
    plan: (before: StoredClient) => WithSecretIfAny,
    admit?: Admit,
  ): Promise<ClientWithSecretIfAny> {
    let secret: string | undefined;
    const planChange = (before: StoredClient) => {
      const planned = plan(before);
      ({ secret } = planned);
      return planned.change;
    };
    const client = await this.change(clientId, actor, isWanted, planChange, admit);
    return { client, secret };
  }

  /** @returns the Client after the change; before it, when it was deleted or stays the same */
  private async change(
    clientId: string,
    actor: Caller,
    isWanted: Precondition,
    plan: (before: StoredClient) => PlannedChange | undefined,
    admit?: Admit,
  ): Promise<StoredClient> {
    // Repeats when a concurrent change came first.
    for (;;) {
      const before = await this.find(clientId, actor);
      if (!isWanted(before)) throw clientChanged(clientId);
      const change = plan(before);
      if (!change) {
        if (admit) await this.clients.applyAfter(admit, [], new Date(), actor);
        return before;
      }
      const after = await this.applied(change, actor, before, admit);
      if (after) return after;
    }
  }

  /** @returns the changed Client, or `gone` after a deletion; undefined when the change did not take effect */
  private async applied(
    change: PlannedChange,
    actor: Caller,
    gone?: StoredClient,
    admit?: Admit,
  ): Promise<StoredClient | undefined> {
    const at = new Date();
    const stored = await (admit
      ? this.clients.applyAfter(admit, [change], at, actor)
      : this.clients.apply([change], at, actor));
    const revision = stored.get(clientIdOf(change));
    return revision === undefined ? undefined : (stateAfter(change, revision, at) ?? gone);
  }

  /** A body may contain a valid client_secret; the stored hashes are read only when it contains one. */
  private async secretChecker(clientId: string, body: unknown): Promise<(secret: string) => boolean> {
    const isCurrent = await this.secretChecks.checkFor([[clientId, body]]);
    return (secret) => isCurrent(clientId, secret);
  }
}
