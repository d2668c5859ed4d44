import { setTimeout as sleep } from 'node:timers/promises';
import { query, SharedPostgres } from '@svc/test-servers';
import pg from 'pg';
import { DATABASE_START_MS } from '../on-both-databases.js';
import {
  type Answer,
  ask,
  pathOf,
  registration,
  type RunningRegistry,
  runRegistry,
} from '../running-registry.js';

/** More than what is imported at once, so that the last Client is locked after the first one was changed. */
const COUNT = 450;

const server = new SharedPostgres();
let registry: RunningRegistry;
let other: pg.Client;
let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = await server.createRegistryDatabase();
  registry = await runRegistry({ DATABASE_URL: databaseUrl });
  other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  // Of two sessions in a deadlock PostgreSQL ends the one that notices first: that has to be the import.
  await other.query(`SET deadlock_timeout = '1h'`);
}, DATABASE_START_MS);
afterAll(async () => {
  await other.end();
  await registry.close();
  await server.dropDatabases();
});

const idOf = (index: number) => `c${String(index).padStart(4, '0')}`;

async function load(name: string, token = registry.token): Promise<Answer> {
  const records = Array.from({ length: COUNT }, (_, index) =>
    registration({ client_id: idOf(index), client_name: name }),
  );
  return ask(`${registry.url}/clients/import`, 'POST', token, {
    body: records.map((record) => JSON.stringify(record)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
}

const lock = async (id: string) =>
  other.query('SELECT FROM client WHERE client_id = $1 FOR UPDATE', [id]).then(() => undefined);

/** Resolves once the import waits for somebody. Not asked by `other`: in a transaction PostgreSQL looks for sessions only once. */
async function untilWaiting(): Promise<void> {
  for (;;) {
    const waiting = await query(
      databaseUrl,
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'svc-registry' AND wait_event_type = 'Lock'`,
    );
    if (waiting.length > 0) return;
    await sleep(20);
  }
}

async function untilAllEnded(): Promise<void> {
  for (;;) {
    const { rowCount } = await other.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'svc-registry' AND xact_start IS NOT NULL`,
    );
    if (rowCount === 0) return;
    await sleep(20);
  }
}

test('an import waits for a concurrent change of one of its Clients, longer than other requests', async () => {
  expect((await load('First')).body).toMatchObject({ registered: COUNT });
  await other.query('BEGIN');
  await lock(idOf(COUNT - 1));
  const answered = load('Second');
  await untilWaiting();
  await sleep(6_000);
  await other.query('COMMIT');
  expect((await answered).body).toMatchObject({ updated: COUNT });
  expect(await registry.dataSource.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '5s' }]);
});

test('an import whose token is being revoked waits for that, and changes nothing', async () => {
  const body = { name: 'importer', scopes: ['clients:write'] };
  const created = (await registry.ask('POST', '/token', { body })).body;
  await other.query('BEGIN');
  await other.query('UPDATE api_token SET hash = sha256(hash) WHERE id = $1', [created['id']]);
  const answered = load('Revoked', String(created['token']));
  await untilWaiting();
  await other.query('COMMIT');
  expect((await answered).status).toBe(401);
  expect((await registry.ask('GET', pathOf(idOf(0)))).body['client_name']).toBe('Second');
});

test('an import aborted by a deadlock is run again', async () => {
  await other.query('BEGIN');
  await lock(idOf(COUNT - 1));
  const answered = load('Third');
  await untilWaiting();
  await lock(idOf(0));
  await other.query('COMMIT');
  const answer = await answered;
  expect([answer.status, answer.body['updated']]).toEqual([200, COUNT]);
  const { body } = await registry.ask('GET', pathOf(idOf(0)));
  expect(body['client_name']).toBe('Third');
});

const BEGIN_ANOTHER = `BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('svc-registry import', 0))`;

test('an import waits for another one that ends soon', async () => {
  await other.query(BEGIN_ANOTHER);
  const answered = load('Third');
  await sleep(1_000);
  await other.query('COMMIT');
  expect((await answered).body).toMatchObject({ unchanged: COUNT });
});

test('while another import is running, the response is 503 and nothing is done', async () => {
  await other.query(BEGIN_ANOTHER);
  const answer = await load('Fourth');
  await other.query('COMMIT');
  expect([answer.status, answer.headers.get('retry-after'), answer.body['detail']]).toEqual([
    503,
    '2',
    'Another import is running; try again when it has finished.',
  ]);
  expect((await load('Third')).body).toMatchObject({ unchanged: COUNT });
});

test('a Client registered meanwhile is updated', async () => {
  await other.query('BEGIN');
  await other.query(
    `INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at, warnings)
     SELECT 'late', metadata, cookie_name, nextval('client_change_seq'), now(), now(), warnings
     FROM client WHERE client_id = $1`,
    [idOf(0)],
  );
  const answered = registry.ask('POST', '/clients/import', {
    body: JSON.stringify(registration({ client_id: 'late', client_name: 'Imported' })),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  await untilWaiting();
  await other.query('COMMIT');
  expect((await answered).body).toMatchObject({ registered: 0, updated: 1 });
});

test('an import whose caller disconnected is abandoned', async () => {
  const before = registry.logged().length;
  await other.query('BEGIN');
  await lock(idOf(COUNT - 1));
  const controller = new AbortController();
  const answered = fetch(`${registry.url}/clients/import`, {
    method: 'POST',
    body: Array.from({ length: COUNT }, (_, index) =>
      JSON.stringify(registration({ client_id: idOf(index), client_name: 'Abandoned' })),
    ).join('\n'),
    headers: { authorization: `Bearer ${registry.token}`, 'content-type': 'application/x-ndjson' },
    signal: controller.signal,
  }).catch((error: unknown) => error);
  await untilWaiting();
  controller.abort();
  await answered;
  await sleep(200);
  await other.query('COMMIT');
  await untilAllEnded();
  const { body } = await registry.ask('GET', pathOf(idOf(0)));
  expect(body['client_name']).toBe('Third');
  expect(registry.logged().slice(before)).not.toContain('"level":"error"');
});

test('an import uses the indexes, even on a connection with plans for few Clients', async () => {
  const rowsReadInARow = async () => {
    // PostgreSQL 14 cannot be told to, and counts every second.
    if (process.env['TEST_POSTGRES'] === '14') await sleep(2_000);
    else await registry.dataSource.query('SELECT pg_stat_force_next_flush()');
    const [row] = await registry.dataSource.query<{ read: number }[]>(
      `SELECT sum(seq_tup_read)::int AS read FROM pg_stat_user_tables WHERE relname LIKE 'client%'`,
    );
    return row?.read ?? 0;
  };
  const readByImport = async () => {
    await registry.dataSource.query('DELETE FROM client');
    await other.query('VACUUM ANALYZE');
    // A statement's plan is kept from its sixth run on.
    for (let count = 0; count < 8; count += 1)
      await registry.ask('POST', '/client', { body: registration() });
    const before = await rowsReadInARow();
    expect((await load('Fifth')).body).toMatchObject({ registered: COUNT });
    return (await rowsReadInARow()) - before;
  };
  // Every few seconds a task of the registry, such as the count of pending Clients, reads a small table in a row.
  const isByIndex = async () => (await readByImport()) < COUNT;
  expect((await isByIndex()) || (await isByIndex()) || (await isByIndex())).toBe(true);
});
