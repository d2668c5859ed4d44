import { ApiProperty } from '@nestjs/swagger';
import { type Capabilities, type ClientMetadata, usesCookieAuthorization } from '@svc/client-metadata';

/** Clients named per hostname; the others are counted. */
const MAX_CLIENTS = 100;

/** A hostname of Clients with cookie-based authorization. */
export class CookieHost {
  @ApiProperty({ example: 'shop.example.com' })
  readonly hostname!: string;

  @ApiProperty({
    type: [String],
    description: 'The cookie entry points on it; there should be one.',
    example: ['https://shop.example.com/auth/cookie'],
  })
  readonly entrypoints!: readonly string[];

  @ApiProperty({ type: 'integer', description: 'How many such Clients are on it.', example: 1 })
  readonly client_count!: number;

  @ApiProperty({ type: [String], description: `The first ${MAX_CLIENTS} of them.`, example: ['shop-web'] })
  readonly clients!: readonly string[];
}

/** What `GET /clients/cookie_entrypoints` answers. */
export class CookieEntrypoints {
  @ApiProperty({ type: [CookieHost] })
  readonly hosts!: readonly CookieHost[];

  @ApiProperty({ type: [String], description: 'The hostnames without an entry point.', example: [] })
  readonly lacking!: readonly string[];
}

/** What a Client says about cookies. */
export interface CookieClient {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
}

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

  /** Sorted by name. */
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

/** `undefined` for the private-use schemes of native applications, which have no host. */
function hostnameOf(uri: string): string | undefined {
  if (!/^https?:/i.test(uri) || !URL.canParse(uri)) return undefined;
  return new URL(uri).hostname;
}
