import { type PostgresServer, startPostgres } from '@svc/test-servers';
import pg from 'pg';
import { describeStartError } from '../../src/describe-start-error.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { ask, runRegistry } from '../running-registry.js';

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
  return describeStartError(error, { ADDRESS: '127.0.0.1', PORT: 0, DATA_DIR: '', DATABASE_URL: url });
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
  const tables = await namesOf(database.href, 'r');
  expect(tables).toContain('client_job');
  const all = [...tables, 'client_change_seq'].sort().join(', ');
  expect(await refusal(url)).toContain(` lacks rights to ${all}; run as `);
  await execute(database.href, 'GRANT SELECT ON migrations TO server');
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
    /pg_trgm is not available on the server; install it there \(Debian: postgresql-contrib\)/,
  );
});

test.each([
  ['datestyle', 'German', /times are written in the style "German, DMY".*SET datestyle = 'ISO'$/],
  ['datestyle', 'SQL, MDY', /times are written in the style "SQL, MDY"/],
  [
    'default_transaction_isolation',
    'repeatable read',
    /"repeatable read" by default; run: ALTER ROLE "\w+" SET default_transaction_isolation = 'read committed'$/,
  ],
])('%s %s: the start names the setting to change', async (setting, value, message) => {
  const url = await server.createDatabase();
  await execute(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting} = '${value}'`);
  expect(await refusal(url)).toMatch(message);
});

test('sessions that begin otherwise only later are refused as well: no token outlives its end', async () => {
  const url = await server.createDatabase();
  const registry = await runRegistry({ DATABASE_URL: url });
  try {
    const sent = { body: { name: 'short', scopes: ['clients:read'], expires_in: '2 s' } };
    const token = String((await registry.ask('POST', '/token', sent)).body['token']);
    const name = new URL(url).pathname.slice(1);
    await execute(url, `ALTER DATABASE ${name} SET datestyle = 'German'`);
    await execute(
      url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    const statuses = new Set<number>();
    for (const until = Date.now() + 3_000; Date.now() < until;) {
      const { status } = await ask(`${registry.url}/client`, 'GET', token);
      statuses.add(status);
    }
    expect(statuses).toEqual(new Set([503]));
    expect(registry.logged()).toContain('times are written in the style');
  } finally {
    await registry.close();
  }
});

test('an encoding without all characters: the start says what to create', async () => {
  const url = new URL(await server.createDatabase());
  await execute(url.href, "CREATE DATABASE latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  url.pathname = '/latin1';
  expect(await refusal(url.href)).toMatch(/encoding, LATIN1, .*ENCODING 'UTF8' TEMPLATE template0$/);
});

/** A schema with the extension, and a role that may create tables. @returns its URL */
async function withTrigramsApart(role: string): Promise<URL> {
  const database = new URL(await server.createDatabase());
  await execute(
    database.href,
    `CREATE ROLE ${role} LOGIN PASSWORD '${role}'; GRANT CREATE ON SCHEMA public TO ${role};
     CREATE SCHEMA apart; CREATE EXTENSION pg_trgm SCHEMA apart`,
  );
  return Object.assign(database, { username: role, password: role });
}

const asOwner = (url: URL) => Object.assign(new URL(server.url), { pathname: url.pathname }).href;
const remedyIn = (message: string) => / run(?: as the owner of the schema)?: (.*)$/.exec(message)?.[1] ?? '';

test('an extension outside of search_path: migrations say what to run; a migrated database does not need it there', async () => {
  const url = await withTrigramsApart('trigrams');
  const outside = await refusal(url.href);
  expect(outside).toMatch(/pg_trgm is in the schema apart, which the role may not use; run as the owner/);
  await execute(asOwner(url), remedyIn(outside));
  // A path for the role in this database is stronger than one for the role.
  await execute(
    asOwner(url),
    `ALTER ROLE trigrams IN DATABASE ${url.pathname.slice(1)} SET search_path = public`,
  );
  const hidden = await refusal(url.href);
  expect(hidden).toMatch(
    /pg_trgm is in the schema apart, which is not in search_path; run: ALTER ROLE trigrams/,
  );
  await execute(url.href, remedyIn(hidden));
  await (await runRegistry({ DATABASE_URL: url.href, BOOTSTRAP_TOKEN })).close();

  await execute(url.href, `ALTER ROLE trigrams IN DATABASE ${url.pathname.slice(1)} RESET search_path`);
  const registry = await runRegistry({ DATABASE_URL: url.href, BOOTSTRAP_TOKEN });
  expect((await registry.ask('GET', '/client?q=shop')).status).toBe(200);
  await registry.close();
});

test('an extension outside of the search_path in DATABASE_URL, which no setting of the role changes', async () => {
  const url = await withTrigramsApart('optional');
  await execute(asOwner(url), 'GRANT USAGE ON SCHEMA apart TO optional');
  url.search = 'options=-c%20search_path%3Dpublic';
  expect(await refusal(url.href)).toMatch(/not in search_path; add it in the options of DATABASE_URL$/);
  url.search = 'options=-c%20search_path%3Dpublic,apart';
  await (await runRegistry({ DATABASE_URL: url.href, BOOTSTRAP_TOKEN })).close();
});

test("a schema with the role's name that appears before the tables: the start says so, and makes no second registry", async () => {
  const database = new URL(await server.createDatabase());
  await execute(
    database.href,
    `CREATE ROLE named LOGIN PASSWORD 'named'; GRANT CREATE ON SCHEMA public TO named`,
  );
  await execute(database.href, 'CREATE EXTENSION pg_trgm');
  const url = Object.assign(new URL(database), { username: 'named', password: 'named' });
  await (await runRegistry({ DATABASE_URL: url.href, BOOTSTRAP_TOKEN })).close();
  await execute(database.href, 'CREATE SCHEMA named AUTHORIZATION named');
  expect(await refusal(url.href)).toContain(
    "the registry's tables are in the schema public, but search_path begins with named, which has none of them; ",
  );
  for (const schema of ['public', 'named,public']) {
    url.search = `options=-c%20search_path%3D${schema}`;
    await (await runRegistry({ DATABASE_URL: url.href, BOOTSTRAP_TOKEN })).close();
  }
});

test("another application's table of the same name, in a later schema of search_path, does not matter", async () => {
  const database = new URL(await server.createDatabase());
  await execute(
    database.href,
    `CREATE ROLE beside LOGIN PASSWORD 'beside'; CREATE SCHEMA registry AUTHORIZATION beside;
     CREATE EXTENSION pg_trgm; CREATE TABLE public.migrations (id int); CREATE TABLE public.client (id int)`,
  );
  const url = Object.assign(new URL(database), { username: 'beside', password: 'beside' });
  url.search = 'options=-c%20search_path%3Dregistry,public';
  await (await runRegistry({ DATABASE_URL: url.href, BOOTSTRAP_TOKEN })).close();
});

test('a search_path without any schema: the start says so', async () => {
  const url = new URL(await server.createDatabase());
  url.search = 'options=-c%20search_path%3Dnowhere';
  expect(await refusal(url.href)).toMatch(/none of the schemas in search_path \(nowhere\) exists/);
});
