import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ClientCache } from './client-cache.js';
import { noteDisabled } from './disabled-lookups.js';
import { toProviderMetadata } from './to-provider-metadata.js';

/** oidc-provider's read-only adapter for the model `Client`, backed by the registry. */
export class ClientAdapter implements Adapter {
  constructor(private readonly clients: Pick<ClientCache, 'find'>) {}

  /** @throws {RegistryUnavailableError} */
  async find(clientId: string): Promise<AdapterPayload | undefined> {
    const client = await this.clients.find(clientId);
    if (client?.enabled === false) noteDisabled(client);
    return client?.enabled === true ? toProviderMetadata(client) : undefined;
  }

  async upsert(): Promise<never> {
    return refuse();
  }

  async destroy(): Promise<never> {
    return refuse();
  }

  async consume(): Promise<never> {
    return refuse();
  }

  async revokeByGrantId(): Promise<never> {
    return refuse();
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }
}

function refuse(): never {
  throw new Error(
    'Clients are registered, changed and deleted at the registry; switch features.registration off',
  );
}
