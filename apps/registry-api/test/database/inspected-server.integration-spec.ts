import { type PostgresServer, startPostgres } from '@svc/test-servers';
import pg from 'pg';
import { describeStartError } from '../../src/describe-start-error.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { runRegistry } from '../running-registry.js';

let server: PostgresServer;

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** What a start says when it fails. */
async function refusal(url: string): Promise<string> {
  const error: unknown = await runRegistry({ DATABASE_URL: url }).catch((reason: unknown) => reason);
  return describeStartError(error, { ADDRESS: '127.0.0.1', PORT: 0, DATABASE_URL: url });
}

beforeAll(async () => {
  server = await startPostgres();
}, DATABASE_START_MS);
afterAll(async () => server.stop());

test('an extension that the role may not create: the start says what to run', async () => {
  const database = new URL(await server.createDatabase());
  await execute(server.url, `CREATE ROLE plain LOGIN PASSWORD 'plain'`);
  await execute(database.href, 'GRANT ALL ON SCHEMA public TO plain');
  const url = Object.assign(new URL(database), { username: 'plain', password: 'plain' }).href;
  expect(await refusal(url)).toMatch(
    /^DATABASE_URL: PostgreSQL at \S+ cannot be used: .*as its owner or a superuser: CREATE EXTENSION pg_trgm$/,
  );
  await execute(database.href, 'CREATE EXTENSION pg_trgm');
  const registry = await runRegistry({ DATABASE_URL: url });
  await registry.close();
});

test('an extension that is not installed: the start names its package', async () => {
  const url = await server.createDatabase();
  // In place of a server without the files: its list of extensions is hidden behind an empty one.
  const name = new URL(url).pathname.slice(1);
  await execute(
    url,
    `CREATE TABLE pg_available_extensions (name text);
     ALTER DATABASE ${name} SET search_path = public, pg_catalog`,
  );
  expect(await refusal(url)).toMatch(
    /lacks the extension pg_trgm; install it there \(Debian: postgresql-contrib\)/,
  );
});
