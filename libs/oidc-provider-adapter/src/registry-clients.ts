import type { Configuration, default as Provider } from 'oidc-provider';
import { attach } from './attach.js';
import { ChangeFollower } from './change-follower.js';
import { ClientAdapter } from './client-adapter.js';
import { ClientCache } from './client-cache.js';
import { configure, type ProviderConfiguration } from './configure.js';
import { RegistryApi } from './registry-api.js';
import { RegistryHttp } from './registry-http.js';
import { readOptions, type RegistryOptions } from './registry-options.js';

/**
 * The Clients of a registry for one or more providers of oidc-provider:
 *
 * ```js
 * const clients = new RegistryClients({ url, token });
 * const provider = new Provider(issuer, clients.configure({ adapter: MyAdapter, ...others }));
 * clients.attach(provider);
 * ```
 *
 * A provider whose Clients are configured but not attached refuses every client_secret and compares redirect URIs as
 * `full_match` does.
 */
export class RegistryClients {
  private readonly http: RegistryHttp;
  private readonly api: RegistryApi;
  private readonly adapter: ClientAdapter;
  private readonly follower: ChangeFollower;
  private isFeedOpen = false;

  /**
   * Begins to follow the registry's changes; a registry that is away is tried again.
   *
   * @throws {RangeError} when an option is not usable
   */
  constructor(options: RegistryOptions) {
    const read = readOptions(options);
    this.http = new RegistryHttp(read);
    this.api = new RegistryApi(this.http);
    const cache = new ClientCache(
      (clientId, etag) => this.api.readClient(clientId, etag),
      read.maxCacheBytes,
    );
    this.adapter = new ClientAdapter(cache);
    this.follower = new ChangeFollower(() => this.api.openChanges(), {
      changed: (clientId) => cache.forget(clientId),
      begun: () => cache.forgetAll(),
      told: (state) => {
        this.isFeedOpen = state.following;
        read.onFeed(state);
      },
    });
  }

  /** Whether changes are heard of at once. When not, they take effect within a second all the same. */
  get isFollowing(): boolean {
    return this.isFeedOpen;
  }

  /** The provider's configuration; `adapter` keeps all models but `Client`. */
  configure(configuration: ProviderConfiguration): Configuration {
    return configure(configuration, this.adapter);
  }

  /** Once for each provider that was made with {@link configure}, before it serves. */
  attach(provider: Provider): void {
    attach(provider, (clientId, secret) => this.api.isSecret(clientId, secret));
  }

  /** Ends the change feed and what is under way. Providers that go on answer 503 to whoever needs a Client. */
  async close(): Promise<void> {
    const stopped = this.follower.stop();
    this.http.close();
    await stopped;
    this.isFeedOpen = false;
  }
}
