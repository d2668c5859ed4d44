import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { type CookieClient, type CookieHost, CookieHosts } from './cookie-entrypoints.js';

/** Clients per read, so that any number fits into memory and the statement timeout. */
const BATCH = 2_000;

/** `$1` the client_id after which to go on `$2` limit. The index `client_with_cookies` is made for it. */
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

  /** Every hostname that should have a cookie entry point. */
  async hosts(): Promise<CookieHost[]> {
    const hosts = new CookieHosts(this.settings.capabilities);
    for (let last: string | undefined = ''; last !== undefined;) {
      const clients: CookieClient[] = await WITH_COOKIES.run(this.dataSource, [last, BATCH]);
      for (const client of clients) hosts.add(client);
      last = clients.length < BATCH ? undefined : clients.at(-1)?.clientId;
    }
    return hosts.list();
  }
}
