import { setTimeout as sleep } from 'node:timers/promises';
import { SharedPostgres } from '@svc/test-servers';
import pg from 'pg';
import { isConnectionError } from '../../src/database/database-errors.js';
import { closeOnSilence, setResponseTimeout } from '../../src/database/response-timeout.js';

/** Longer than a short statement takes on a busy machine. */
const RESPONSE_TIMEOUT_MS = 1_000;
const LONGER = 'SELECT pg_sleep(3)';

const { url } = new SharedPostgres();
let pool: pg.Pool;
beforeEach(() => {
  const onConnect = (client: pg.ClientBase) => closeOnSilence(client, RESPONSE_TIMEOUT_MS);
  pool = new pg.Pool({ connectionString: url, max: 1, onConnect });
  pool.on('error', () => undefined);
});
afterEach(async () => pool.end());

test('a statement that gets no response is a connection error, and the next one has a new connection', async () => {
  const error: unknown = await pool.query(LONGER).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ message: 'the database stopped responding' });
  expect(isConnectionError(error)).toBe(true);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('a response that stops half-way is an error', async () => {
  const rows = pool.query(
    'SELECT n, CASE WHEN n = 5000 THEN pg_sleep(3) END FROM generate_series(1, 5001) n',
  );
  await expect(rows).rejects.toThrow('the database stopped responding');
});

test('an idle connection stays open', async () => {
  const processId = async () =>
    (await pool.query<{ id: number }>('SELECT pg_backend_pid() AS id')).rows[0]?.id;
  const before = await processId();
  await sleep(3 * RESPONSE_TIMEOUT_MS);
  expect(await processId()).toBe(before);
});

test('the timeout can be changed while connected', async () => {
  const client = await pool.connect();
  client.on('error', () => undefined);
  setResponseTimeout(client, 0);
  expect((await client.query(LONGER)).rowCount).toBe(1);
  setResponseTimeout(client, RESPONSE_TIMEOUT_MS);
  await expect(client.query(LONGER)).rejects.toThrow('the database stopped responding');
  client.release(true);
});
