import { setTimeout as sleep } from 'node:timers/promises';
import { query, SharedPostgres } from '@svc/test-servers';
import pg from 'pg';
import { ConnectionShare } from '../../src/database/connection-share.js';

const server = new SharedPostgres();
afterAll(async () => server.dropDatabases());

const CONNECTIONS = 3;

/** Limits apply to roles other than superusers. @returns a URL for such a role, and where its limits are set */
async function newRole(name: string) {
  const admin = await server.createRegistryDatabase();
  await query(admin, `CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
  const url = new URL(admin);
  [url.username, url.password] = [name, name];
  return { admin, url: url.href, database: url.pathname.slice(1) };
}

/** Uses all connections of a pool. */
function keepBusy(pool: pg.Pool, isOver: () => boolean): Promise<unknown> {
  const work = async () => {
    while (!isOver()) await pool.query('SELECT pg_sleep(0.01)');
  };
  return Promise.all(Array.from({ length: 2 * CONNECTIONS }, work));
}

/** @returns how many attempts were refused before a session could be opened */
async function connectAtLast(url: string): Promise<number> {
  for (let refused = 0; ; refused += 1) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return refused;
    } catch (error) {
      expect((error as { code?: unknown }).code).toBe('53300');
      await sleep(50);
    }
  }
}

test.concurrent.each([
  ['the role', 'ALTER ROLE share_of_role CONNECTION LIMIT 3', 'share_of_role'],
  ['the database', 'ALTER DATABASE "%" CONNECTION LIMIT 3', 'share_of_database'],
])(
  'a busy pool gives connections back while %s has none left',
  async (_what, limit, name) => {
    const { admin, url, database } = await newRole(name);
    await query(admin, limit.replace('%', database));
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
    pool.on('error', () => undefined);
    new ConnectionShare(pool);
    let isOver = false;
    const busy = keepBusy(pool, () => isOver);
    try {
      await sleep(500);
      expect(pool.totalCount).toBe(CONNECTIONS);
      expect(await connectAtLast(url)).toBeGreaterThan(0);
    } finally {
      isOver = true;
      await busy;
      await pool.end();
      await query(admin, `DROP OWNED BY ${name}`);
      await query(admin, `DROP ROLE ${name}`);
    }
  },
  60_000,
);
