import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SharedPostgres } from '@svc/test-servers';
import pg from 'pg';
import { type ProcessEnvironment, RegistryProcess } from '../registry-process.js';

const CLIENTS = 3_000;

const postgres = new SharedPostgres();
let dataDir: string;
let environment: ProcessEnvironment;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'registry-jobs-'));
  environment = { DATABASE_URL: await postgres.createRegistryDatabase(), DATA_DIR: dataDir };
});
afterAll(async () => {
  await rm(dataDir, { recursive: true });
  await postgres.dropDatabases();
});

test('a job of a killed registry continues, and changes no Client twice', async () => {
  let registry = await RegistryProcess.start(environment);
  for (let from = 0; from < CLIENTS; from += 1_000) {
    const operations = Array.from({ length: 1_000 }, (_, index) => ({
      op: 'register',
      client: {
        client_name: 'Shop',
        redirect_uris: ['https://shop.example/cb'],
        preferred_client_id: `shop-${from + index}`,
      },
    }));
    await registry.ask('POST', '/clients/bulk', { body: { operations } });
  }
  // Until it is released, no job ends, however fast.
  const lastLocked = new pg.Client(environment['DATABASE_URL']);
  await lastLocked.connect();
  await lastLocked.query(`BEGIN; SELECT FROM client WHERE client_id = 'shop-999' FOR UPDATE`);
  const body = { action: 'disable', filter: {} };
  const { id } = (await registry.ask('POST', '/clients/jobs', { body })).body;
  const job = async () => (await registry.ask('GET', `/clients/jobs/${String(id)}`)).body;
  while (Number((await job())['changed']) === 0) await sleep(10);
  await registry.end('SIGKILL');

  registry = await RegistryProcess.start(environment);
  const resumed = await job();
  expect(resumed['state']).toBe('running');
  expect(resumed['changed']).toBeLessThan(CLIENTS);
  await lastLocked.end();
  while ((await job())['finished_at'] === undefined) await sleep(100);
  expect(await job()).toMatchObject({ total: CLIENTS, changed: CLIENTS, failed: 0, state: 'finished' });
  const { body: stats } = await registry.ask('GET', '/clients/stats');
  expect(stats).toMatchObject({ clients: CLIENTS, disabled: CLIENTS });
  for (const clientId of ['shop-0', 'shop-1500', 'shop-2999']) {
    const { body: history } = await registry.ask('GET', `/client/${clientId}/history`);
    expect((history['changes'] as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      'disabled',
      'registered',
    ]);
  }
  await registry.end('SIGTERM');
}, 300_000);
