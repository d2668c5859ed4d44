import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Reach } from '../http/current-caller.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { ApiProperty } from '@nestjs/swagger';
import {
  type Capabilities,
  type ClientMetadata,
  selects,
  usesCookieAuthorization,
} from '@svc/client-metadata';

/** Clients named per hostname; the others are counted. */
const MAX_CLIENTS = 100;

/** A hostname of Clients with cookie-based authorization. */
class CookieHost {
  @ApiProperty({ example: 'shop.example.com' })
  readonly hostname!: string;

  @ApiProperty({
    type: [String],
    description: 'The cookie entry points on it; there should be one.',
    example: ['https://shop.example.com/auth/cookie'],
  })
  readonly entrypoints!: readonly string[];

  @ApiProperty({ type: 'integer', description: 'Number of such clients on it.', example: 1 })
  readonly client_count!: number;

  @ApiProperty({ type: [String], description: `The first ${MAX_CLIENTS} of them.`, example: ['shop-web'] })
  readonly clients!: readonly string[];
}

/** Response of `GET /clients/cookie_entrypoints`. */
export class CookieEntrypoints {
  @ApiProperty({ type: [CookieHost] })
  readonly hosts!: readonly CookieHost[];

  @ApiProperty({ type: [String], description: 'The hostnames without an entry point.', example: [] })
  readonly lacking!: readonly string[];
}

/** A client with cookie settings. */
interface CookieClient {
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

/** Clients per read, so that any number fits into memory and the statement timeout. */
const BATCH = 2_000;

/** `$1` the client_id to continue after `$2` limit. Uses the index `client_with_cookies`. */
const WITH_COOKIES = new PreparedStatement<CookieClient>(
  'cookie_clients',
  `SELECT client_id AS "clientId", metadata FROM client
   WHERE client_id > $1 AND metadata ?| ARRAY['cookie_entry_uri', 'cookie_webhook_uri', 'cookie_domain']
   ORDER BY client_id LIMIT $2`,
);

@Injectable()
export class CookieEntrypointsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: RegistrySettings,
  ) {}

  /** Every hostname of the caller's Clients that should have a cookie entry point. */
  async hosts({ selector }: Reach): Promise<CookieHost[]> {
    const hosts = new CookieHosts(this.settings.capabilities);
    for (let last: string | undefined = ''; last !== undefined;) {
      const clients: CookieClient[] = await WITH_COOKIES.run(this.dataSource, [last, BATCH]);
      for (const client of clients) if (selects(selector, client)) hosts.add(client);
      last = clients.length < BATCH ? undefined : clients.at(-1)?.clientId;
    }
    return hosts.list();
  }
}
