import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Creates a database on a server.
 *
 * @param server connection URL of its superuser
 * @param options as `CREATE DATABASE` takes them
 * @returns the new database's connection URL
 */
export async function createDatabase(server: string, options = ''): Promise<string> {
  const url = new URL(server);
  url.pathname = `/test_${randomBytes(6).toString('hex')}`;
  await query(server, `CREATE DATABASE ${url.pathname.slice(1)} ${options}`);
  return url.href;
}

/** Options of `createDatabase` for a database with the registry's tables (tools/jest/shared-postgres.setup.mjs). */
export function fromRegistryTemplate(): string {
  return `TEMPLATE ${fromSetup('TEST_REGISTRY_TEMPLATE')}`;
}

/** A variable that the set-up of a test run sets. */
export function fromSetup(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run the tests with npm test`);
  return value;
}

/** Runs a statement in a session of its own. @returns its rows */
export async function query<Row extends object = Readonly<Record<string, unknown>>>(
  url: string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
