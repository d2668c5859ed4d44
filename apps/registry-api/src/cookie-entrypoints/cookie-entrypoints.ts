import { type Capabilities, type ClientMetadata, usesCookieAuthorization } from '@svc/client-metadata';

/** A hostname that Clients with cookie-based authorization are on. */
export interface CookieHost {
  readonly hostname: string;
  /** The cookie entry points on it; one there should be. */
  readonly entrypoints: readonly string[];
  /** How many such Clients are on it. */
  readonly client_count: number;
  /** The first of them. */
  readonly clients: readonly string[];
}

/** What a Client says about cookies. */
export interface CookieClient {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
}

/** Clients named per hostname; the others are counted. */
const MAX_CLIENTS = 100;

interface HostSoFar {
  count: number;
  readonly clients: string[];
}

/**
 * Gathers the hostnames of Clients with cookie-based authorization: those of their redirect URIs. A cookie entry point
 * serves every Client on its hostname, whichever of them names it.
 */
export class CookieHosts {
  private readonly hosts = new Map<string, HostSoFar>();
  private readonly entrypoints = new Map<string, Set<string>>();

  constructor(private readonly capabilities: Capabilities) {}

  add({ clientId, metadata }: CookieClient): void {
    if (!usesCookieAuthorization(metadata, this.capabilities)) return;
    const names = metadata.redirect_uris.flatMap((uri) => hostnameOf(uri) ?? []);
    for (const name of new Set(names)) {
      const host = this.hosts.get(name) ?? { count: 0, clients: [] };
      host.count += 1;
      if (host.clients.length < MAX_CLIENTS) host.clients.push(clientId);
      this.hosts.set(name, host);
    }
    const entry = metadata.cookie_entry_uri;
    const name = entry === undefined ? undefined : hostnameOf(entry);
    if (entry === undefined || name === undefined) return;
    this.entrypoints.set(name, (this.entrypoints.get(name) ?? new Set()).add(entry));
  }

  /** In the order of their names. */
  list(): CookieHost[] {
    return [...this.hosts]
      .map(([hostname, { count, clients }]) => ({
        hostname,
        entrypoints: [...(this.entrypoints.get(hostname) ?? [])].sort(),
        client_count: count,
        clients,
      }))
      .sort((a, b) => (a.hostname < b.hostname ? -1 : 1));
  }
}

/** Nothing for the private-use schemes of native applications, which have no host. */
function hostnameOf(uri: string): string | undefined {
  if (!/^https?:/i.test(uri) || !URL.canParse(uri)) return undefined;
  return new URL(uri).hostname;
}
