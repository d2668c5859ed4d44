import { Injectable } from '@nestjs/common';
import { codesOf, warningsOf } from '@svc/client-metadata';
import { clientChanged, deletedClientNotFound } from '../clients/client.errors.js';
import { ClientStore } from '../clients/client.store.js';
import { stateAfter } from '../clients/planned-change.js';
import type { StoredClient } from '../clients/stored-client.js';
import type { Transaction } from '../database/transaction.js';
import type { StatePrecondition } from '../http/conditional-requests.js';
import type { Caller, Reach } from '../http/current-caller.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { DeletedClientStore, type StoredDeletedClient } from './deleted-client.store.js';

/** Restores and purges deleted Clients. */
@Injectable()
export class DeletedClientsService {
  constructor(
    private readonly deleted: DeletedClientStore,
    private readonly clients: ClientStore,
    private readonly settings: RegistrySettings,
  ) {}

  /** @throws {RegistryError} `client_not_found`, `client_changed` */
  async restore(
    clientId: string,
    actor: Caller,
    isWanted: StatePrecondition,
    transaction?: Transaction,
  ): Promise<StoredClient> {
    const found = await this.wanted(clientId, actor, isWanted, transaction);
    const warnings = codesOf(warningsOf(found.metadata, this.settings.capabilities));
    const change = { kind: 'restored', before: { ...found, warnings } } as const;
    const at = new Date();
    const revision = (await this.clients.apply([change], at, actor, transaction)).get(clientId);
    const restored = revision === undefined ? undefined : stateAfter(change, revision, at);
    // Restored, purged or re-registered meanwhile.
    if (!restored) throw deletedClientNotFound(clientId);
    return restored;
  }

  /** Removes it for good; its history stays. @throws {RegistryError} `client_not_found`, `client_changed` */
  async purge(clientId: string, caller: Caller, isWanted: StatePrecondition): Promise<void> {
    const found = await this.wanted(clientId, caller, isWanted);
    if (!(await this.deleted.purge(found, caller))) throw deletedClientNotFound(clientId);
  }

  private async wanted(
    clientId: string,
    reach: Reach,
    isWanted: StatePrecondition,
    transaction?: Transaction,
  ): Promise<StoredDeletedClient> {
    const found = await this.deleted.find(clientId, reach, transaction);
    if (!isWanted(found)) throw clientChanged(clientId);
    return found;
  }
}
