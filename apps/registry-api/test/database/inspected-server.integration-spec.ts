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

const BOOTSTRAP_TOKEN = 'b'.repeat(43);
const SERVE = 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO server';
const COUNT = 'GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO server';

test('tables and sequences that the role may not use: the start names them and the grants', async () => {
  const database = new URL(await server.createDatabase());
  await (await runRegistry({ DATABASE_URL: database.href, BOOTSTRAP_TOKEN })).close();
  await execute(server.url, `CREATE ROLE server LOGIN PASSWORD 'server'`);
  const url = Object.assign(new URL(database), { username: 'server', password: 'server' }).href;
  await execute(database.href, 'GRANT SELECT ON migrations TO server');
  const tables = await namesOf(database.href, 'r');
  expect(tables).toContain('client_job');
  const names = [...tables.filter((name) => name !== 'migrations'), 'client_change_seq'].sort();
  expect(await refusal(url)).toMatch(
    new RegExp(`cannot be used: the role server .* ${names.join(', ')}; run as .*: ${SERVE}; ${COUNT}$`),
  );

  await execute(database.href, `${SERVE}; ${COUNT}`);
  await (await runRegistry({ DATABASE_URL: url, BOOTSTRAP_TOKEN })).close();
  await execute(database.href, 'REVOKE UPDATE ON client_job FROM server');
  expect(await refusal(url)).toContain(' client_job; ');
  await execute(database.href, `${SERVE}; REVOKE USAGE ON SEQUENCE client_change_seq FROM server`);
  expect(await refusal(url)).toContain(' client_change_seq; ');
});

async function namesOf(url: string, kind: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = $1`,
    [kind],
  );
  await client.end();
  return rows.map(({ name }) => name);
}

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
