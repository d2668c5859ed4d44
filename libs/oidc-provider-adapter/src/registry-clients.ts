import type { Configuration, default as Provider } from 'oidc-provider';
import { attach } from './attach.js';
import { ChangeFollower } from './change-follower.js';
import { ClientAdapter } from './client-adapter.js';
import { ClientCache } from './client-cache.js';
import { configure, type ProviderConfiguration } from './configure.js';
import { RegistryApi } from './registry-api.js';
import { RegistryHttp } from './registry-http.js';
import { recordRequests } from './record-requests.js';
import { ReportedChange } from './reported-change.js';
import { readOptions, type RegistryOptions } from './registry-options.js';
import { UsageReporter } from './usage-reporter.js';

/**
 * Connects one or more oidc-provider instances to a registry:
 *
 * ```js
 * const clients = new RegistryClients({ url, token });
 * const provider = new Provider(issuer, clients.configure({ adapter: MyAdapter, ...others }));
 * clients.attach(provider);
 * ```
 *
 * A provider that is configured but not attached rejects every client_secret and compares redirect URIs by
 * `full_match`.
 */
export class RegistryClients {
  private readonly http: RegistryHttp;
  private readonly api: RegistryApi;
  private readonly adapter: ClientAdapter;
  private readonly follower: ChangeFollower;
  private readonly usage: UsageReporter;
  private isFeedOpen = false;

  /**
   * Starts following the registry's changes, reconnecting while the registry is unreachable.
   *
   * @throws {RangeError} if an option is invalid
   */
  constructor(options: RegistryOptions) {
    const read = readOptions(options);
    this.http = new RegistryHttp(read);
    this.api = new RegistryApi(this.http);
    const reported = new ReportedChange();
    const cache = new ClientCache(
      (clientId, etag) => this.api.readClient(clientId, etag, reported.needed),
      read.maxCacheBytes,
    );
    this.usage = new UsageReporter((batch) => this.api.report(batch), read.reportUsage);
    this.adapter = new ClientAdapter(cache);
    this.follower = new ChangeFollower(() => this.api.openChanges(), {
      changed: (clientId, position) => {
        reported.note(position);
        cache.forget(clientId);
      },
      changedAny: (position) => {
        reported.note(position);
        cache.forgetAll();
      },
      started: () => {
        // After a restore of the registry's database, the change may no longer exist.
        reported.note(undefined);
        cache.forgetAll();
      },
      feedChanged: (state) => {
        this.isFeedOpen = state.following;
        read.onFeed(state);
      },
    });
  }

  /** Whether the change feed is connected. If not, changes still take effect within a second. */
  get isFollowing(): boolean {
    return this.isFeedOpen;
  }

  /** Returns the provider's configuration; your `adapter` still stores every model except `Client`. */
  configure(configuration: ProviderConfiguration): Configuration {
    return configure(configuration, this.adapter);
  }

  /** Call once for each provider created with {@link configure}, before it accepts requests. */
  attach(provider: Provider): void {
    attach(provider, (clientId, secret) => this.api.isSecret(clientId, secret));
    recordRequests(provider, (clientId, use, createdAt) => this.usage.record(clientId, use, createdAt));
  }

  /**
   * Reports the last uses, closes the change feed and aborts requests in flight. Providers still running then answer 503 when
   * they need a Client.
   */
  async close(): Promise<void> {
    await this.usage.close();
    const stopped = this.follower.stop();
    this.http.close();
    await stopped;
    this.isFeedOpen = false;
  }
}
