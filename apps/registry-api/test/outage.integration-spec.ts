import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type PostgresServer, startPostgres } from '@svc/test-servers';
import { DATABASE_START_MS } from './on-both-databases.js';
import { registration, type RunningRegistry, runRegistry } from './running-registry.js';

let server: PostgresServer;
let registry: RunningRegistry;
beforeAll(async () => {
  server = await startPostgres();
  registry = await runRegistry({ DATABASE_URL: await server.createRegistryDatabase() });
}, DATABASE_START_MS);
afterAll(async () => {
  await registry.close();
  await server.stop();
});

test('a change that waits too long for another is 503 with its own message', async () => {
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
    detail: 'The database took too long, perhaps because of concurrent changes; try again shortly.',
  });
  expect(refused.headers.get('retry-after')).toBe('2');
  expect((await registry.ask('GET', path)).body['client_name']).toBe('Shop');
  expect((await rename()).status).toBe(200);
});

/** Lets PostgreSQL refuse every change of a Client with this condition while `work` runs. */
async function whileChangesEndWith<T>(condition: string, work: () => Promise<T>): Promise<T> {
  await registry.dataSource.query(`
    CREATE FUNCTION give_way() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE ${condition}; END $$;
    CREATE TRIGGER give_way BEFORE UPDATE ON client FOR EACH ROW EXECUTE FUNCTION give_way()`);
  try {
    return await work();
  } finally {
    await registry.dataSource.query('DROP FUNCTION give_way CASCADE');
  }
}

const IN_THE_WAY = 'Concurrent changes interfered; try again shortly.';
const NO_ROOM = 'The server is out of storage at the moment; try again later.';

test.each([
  ['that has to give way to others', 'deadlock_detected', IN_THE_WAY, '2'],
  ['that has to give way to others', 'serialization_failure', IN_THE_WAY, '2'],
  ['for which there is no room', 'disk_full', NO_ROOM, '60'],
  ['for which there is no room', 'out_of_memory', NO_ROOM, '60'],
])('a change %s (%s) is 503 with words of its own', async (_what, condition, detail, retryAfter) => {
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  const path = `/client/${String(body['client_id'])}`;
  const rename = async () => registry.ask('PATCH', path, { body: { client_name: 'Renamed' } });
  const refused = await whileChangesEndWith(condition, rename);

  expect(refused.body).toMatchObject({ status: 503, error: 'temporarily_unavailable', detail });
  expect(refused.headers.get('retry-after')).toBe(retryAfter);
  expect((await rename()).status).toBe(200);
});

const readinessChecks = async () => (await registry.ask('GET', '/health/ready')).body['checks'];
const statusOf = async (path: string) => (await registry.ask('GET', path)).status;

test.each(['stop', 'kill'] as const)(
  'while PostgreSQL is away (%s) the answer is 503 with Retry-After; afterwards all is as before',
  async (how) => {
    const { body } = await registry.ask('POST', '/client', { body: registration() });
    const path = `/client/${String(body['client_id'])}`;
    const created = await registry.ask('POST', '/token', {
      body: { name: 'Scraper', scopes: ['metrics:read'] },
    });
    const scraper = { authorization: `Bearer ${String(created.body['token'])}` };
    const scrape = async (headers: Record<string, string>) => fetch(`${registry.url}/metrics`, { headers });
    expect((await scrape(scraper)).status).toBe(200);
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
    // Longer than a token is cached.
    await sleep(1_100);
    const metrics = await scrape(scraper);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toMatch(/http_request_duration_seconds_count\{.*\/health\/ready.*503/);
    expect((await scrape({ authorization: 'Bearer unknown' })).status).toBe(503);

    await server.startAgain();
    while (!isDeepStrictEqual(await readinessChecks(), { postgresql: 'up', migrations: 'up' }))
      await sleep(20);
    expect(await statusOf(path)).toBe(200);
    await registry.ask('DELETE', `/token/${String(created.body['id'])}`);
    expect((await scrape(scraper)).status).toBe(401);
  },
);

test('a database without the tables of this version is not ready', async () => {
  await registry.dataSource.query(`UPDATE migrations SET name = 'Gone' || name`);
  const { status, body } = await registry.ask('GET', '/health/ready');
  expect(status).toBe(503);
  expect(body['checks']).toEqual({ postgresql: 'up', migrations: 'down' });
  await registry.dataSource.query(`UPDATE migrations SET name = replace(name, 'Gone', '')`);
});
