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
