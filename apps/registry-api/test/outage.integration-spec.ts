import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '@svc/test-servers';
import { DATABASE_START_MS } from './on-both-databases.js';
import { registration, type RunningRegistry, runRegistry } from './running-registry.js';

let server: PostgresServer;
let registry: RunningRegistry;
beforeAll(async () => {
  server = await startPostgres();
  registry = await runRegistry({ DATABASE_URL: await server.createDatabase() });
}, DATABASE_START_MS);
afterAll(async () => {
  await registry.close();
  await server.stop();
});

test('a change that waits too long for another is 503 with words of its own', async () => {
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  const path = `/client/${String(body['client_id'])}`;
  const rename = async () => registry.ask('PATCH', path, { body: { client_name: 'Renamed' } });
  const other = registry.dataSource.createQueryRunner();
  await other.startTransaction();
  await other.query('SELECT FROM client WHERE client_id = $1 FOR UPDATE', [body['client_id']]);
  const refused = await rename();
  await other.rollbackTransaction();
  await other.release();

  expect(refused.body).toMatchObject({
    status: 503,
    error: 'temporarily_unavailable',
    detail: 'The database took too long for this, or others were in the way; try again shortly.',
  });
  expect(refused.headers.get('retry-after')).toBe('2');
  expect((await registry.ask('GET', path)).body['client_name']).toBe('Shop');
  expect((await rename()).status).toBe(200);
});

test.each(['deadlock_detected', 'serialization_failure'])(
  'a change that has to give way to others (%s) is 503 with words of its own',
  async (condition) => {
    const { body } = await registry.ask('POST', '/client', { body: registration() });
    const path = `/client/${String(body['client_id'])}`;
    const rename = async () => registry.ask('PATCH', path, { body: { client_name: 'Renamed' } });
    await registry.dataSource.query(`
      CREATE FUNCTION give_way() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE ${condition}; END $$;
      CREATE TRIGGER give_way BEFORE UPDATE ON client FOR EACH ROW EXECUTE FUNCTION give_way()`);
    const refused = await rename();
    await registry.dataSource.query('DROP FUNCTION give_way CASCADE');

    expect(refused.body).toMatchObject({
      status: 503,
      error: 'temporarily_unavailable',
      detail: 'Changes by others were in the way; try again shortly.',
    });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await rename()).status).toBe(200);
  },
);

const statusOf = async (path: string) => (await registry.ask('GET', path)).status;

test.each(['stop', 'kill'] as const)(
  'while PostgreSQL is away (%s) the answer is 503 with Retry-After; afterwards all is as before',
  async (how) => {
    const { body } = await registry.ask('POST', '/client', { body: registration() });
    const path = `/client/${String(body['client_id'])}`;
    await server.halt(how);

    const away = await registry.ask('GET', path);
    expect(away.status).toBe(503);
    expect(away.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(away.body).toMatchObject({ error: 'temporarily_unavailable' });
    expect(JSON.stringify(away.body)).not.toMatch(/ECONN|127\.0\.0\.1|terminat/);
    expect((await registry.ask('POST', '/client', { body: registration() })).status).toBe(503);
    expect((await registry.ask('GET', '/health/ready')).body).toMatchObject({
      status: 'not ready',
      checks: { postgresql: 'down' },
    });
    expect(await statusOf('/health/live')).toBe(200);

    await server.startAgain();
    while ((await statusOf('/health/ready')) !== 200) await sleep(20);
    expect(await statusOf(path)).toBe(200);
  },
);

test('a database without the tables of this version is not ready', async () => {
  await registry.dataSource.query(`UPDATE migrations SET name = 'Gone' || name`);
  const { status, body } = await registry.ask('GET', '/health/ready');
  expect(status).toBe(503);
  expect(body['checks']).toEqual({ postgresql: 'up', migrations: 'down' });
  await registry.dataSource.query(`UPDATE migrations SET name = replace(name, 'Gone', '')`);
});
