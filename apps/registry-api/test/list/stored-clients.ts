import type { DataSource } from 'typeorm';
import { searchTextOf } from '../../src/clients/search-text.js';

/** A Client as it is put into the database for tests of lists: no more than what lists look at. */
export interface ListedClient {
  readonly clientId: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly client_name: string };
  readonly enabled: boolean;
  readonly warnings: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly secrets?: readonly ListedSecret[];
}

/** What lists look at in a secret. */
export interface ListedSecret {
  /** Left out: never. */
  readonly expiresAt?: Date;
  readonly lastUsedAt?: Date;
}

/** Metadata with the table's defaults. */
export function metadataOf(overrides: Readonly<Record<string, unknown>>): ListedClient['metadata'] {
  return {
    client_name: 'Shop',
    redirect_uris: ['https://shop.example/cb'],
    application_type: 'web',
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'none',
    code_challenge_method: 'none',
    redirect_uri_validation_method: 'full_match',
    ...overrides,
  };
}

/** So many are inserted within a statement's five seconds, on a busy machine, too. */
const BATCH = 500;

/** Puts many Clients into the database, as no endpoint could: with times of the past. */
export async function store(dataSource: DataSource, clients: readonly ListedClient[]): Promise<void> {
  for (let at = 0; at < clients.length; at += BATCH) {
    await storeBatch(dataSource, clients.slice(at, at + BATCH));
  }
}

async function storeBatch(dataSource: DataSource, clients: readonly ListedClient[]): Promise<void> {
  const rows = clients.map((client) => ({
    client_id: client.clientId,
    metadata: client.metadata,
    search_text: searchTextOf(client.clientId, client.metadata as never),
    enabled: client.enabled,
    warnings: client.warnings,
    created_at: client.createdAt,
    updated_at: client.updatedAt,
  }));
  await dataSource.query(
    `INSERT INTO client (client_id, metadata, search_text, cookie_name, seq, enabled, warnings, created_at, updated_at)
     SELECT client_id, metadata, search_text, 'cookie', 0, enabled,
            ARRAY(SELECT jsonb_array_elements_text(warnings)), created_at, updated_at
     FROM jsonb_to_recordset($1::jsonb) AS r (client_id text, metadata jsonb, search_text text, enabled boolean, warnings jsonb,
                                              created_at timestamptz, updated_at timestamptz)`,
    [JSON.stringify(rows)],
  );
  const secrets = clients.flatMap(({ clientId, secrets: ofClient = [] }) =>
    ofClient.map(({ expiresAt, lastUsedAt }) => ({
      client_id: clientId,
      expires_at: expiresAt,
      last_used_at: lastUsedAt,
    })),
  );
  await dataSource.query(
    `INSERT INTO client_secret (client_id, hash, pepper_id, hint, created_at, expires_at, last_used_at)
     SELECT client_id, 'x', 'p', 'hint', now(), expires_at, last_used_at
     FROM jsonb_to_recordset($1::jsonb) AS r (client_id text, expires_at timestamptz, last_used_at timestamptz)`,
    [JSON.stringify(secrets)],
  );
}
