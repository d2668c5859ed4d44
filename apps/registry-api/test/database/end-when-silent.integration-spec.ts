import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '@svc/test-servers';
import pg from 'pg';
import { endWhenSilent, waitFor } from '../../src/database/end-when-silent.js';
import { isDatabaseAway } from '../../src/database/is-database-away.js';

const SILENCE_MS = 300;
const LONGER = 'SELECT pg_sleep(0.9)';

let server: PostgresServer;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startPostgres();
});
beforeEach(() => {
  const onConnect = (client: pg.ClientBase) => endWhenSilent(client, SILENCE_MS);
  pool = new pg.Pool({ connectionString: server.url, max: 1, onConnect });
  pool.on('error', () => undefined);
});
afterEach(async () => pool.end());
afterAll(async () => server.stop());

test('a statement that is left without an answer counts as a database that is away, and the next one has a new connection', async () => {
  const error: unknown = await pool.query(LONGER).catch((fault: unknown) => fault);
  expect(error).toMatchObject({ message: 'the database fell silent' });
  expect(isDatabaseAway(error)).toBe(true);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('an answer that stops half-way is none', async () => {
  const rows = pool.query(
    'SELECT n, CASE WHEN n = 5000 THEN pg_sleep(0.9) END FROM generate_series(1, 5001) n',
  );
  await expect(rows).rejects.toThrow('the database fell silent');
});

test('a connection that nobody asks anything stays', async () => {
  const processId = async () =>
    (await pool.query<{ id: number }>('SELECT pg_backend_pid() AS id')).rows[0]?.id;
  const before = await processId();
  await sleep(3 * SILENCE_MS);
  expect(await processId()).toBe(before);
});

test('who expects to wait longer may, until told otherwise', async () => {
  const client = await pool.connect();
  client.on('error', () => undefined);
  waitFor(client, 0);
  expect((await client.query(LONGER)).rowCount).toBe(1);
  waitFor(client, SILENCE_MS);
  await expect(client.query(LONGER)).rejects.toThrow('the database fell silent');
  client.release(true);
});
