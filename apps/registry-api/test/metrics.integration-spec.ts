import { eventually } from '@svc/test-servers';
import { DATABASE_START_MS } from './on-both-databases.js';
import { pathOf, registration, type RunningRegistry, runRegistry } from './running-registry.js';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry({
    DATABASE_POOL_SIZE: '3',
    // Judging a token may take a connection, and one of the tests takes them all.
    METRICS: 'public',
  });
}, DATABASE_START_MS);
afterAll(async () => {
  await registry.close();
});

/** @param series name and labels, less `service` */
async function figure(series: string): Promise<number | undefined> {
  const lines = (await (await fetch(`${registry.url}/metrics`)).text()).split('\n');
  const [name = '', labels = ''] = series.split(/[{}]/);
  const line = lines.find((each) => each.startsWith(`${name}{`) && each.includes(labels));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

async function until(expected: number, series: string): Promise<void> {
  while ((await figure(series)) !== expected) await new Promise((resolve) => setTimeout(resolve, 20));
}

const changes = async (kind: string) => figure(`client_changes_total{kind="${kind}"}`);

test('all counters exist before anything has happened', async () => {
  expect(await changes('registered')).toBe(0);
  expect(await figure('client_secret_checks_total{result="invalid"}')).toBe(0);
  expect(await figure('authorization_request_checks_total{result="valid"}')).toBe(0);
  expect(await figure('changes_pruned_total')).toBe(0);
});

test('changes are counted by kind once they are committed, one by one or many at once', async () => {
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  await registry.ask('POST', `${pathOf(body['client_id'])}/disable`);
  expect([await changes('registered'), await changes('disabled')]).toEqual([1, 1]);

  const register = (client: object) => ({ op: 'register', client });
  const operations = [register(registration()), register(registration())];
  expect((await registry.ask('POST', '/clients/bulk', { body: { operations } })).status).toBe(200);
  expect(await changes('registered')).toBe(3);

  const refused = [...operations, register({ client_name: 'without redirect URIs' })];
  expect((await registry.ask('POST', '/clients/bulk', { body: { operations: refused } })).status).toBe(400);
  await registry.ask('POST', '/clients/bulk', { body: { operations, dry_run: true } });
  expect(await changes('registered')).toBe(3);
});

test('checks are counted by their result', async () => {
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  const check = async (of: string, sent: object) =>
    registry.ask('POST', `${pathOf(body['client_id'])}/check/${of}`, { body: sent });
  await check('secret', { client_secret: body['client_secret'] });
  await check('secret', { client_secret: 'wrong' });
  await check('secret', { client_secret: 'wrong again' });
  expect(await figure('client_secret_checks_total{result="valid"}')).toBe(1);
  expect(await figure('client_secret_checks_total{result="invalid"}')).toBe(2);
  await check('authorization_request', { redirect_uri: 'https://shop.example/cb', response_type: 'code' });
  await check('authorization_request', { redirect_uri: 'https://evil.example/', response_type: 'code' });
  expect(await figure('authorization_request_checks_total{result="valid"}')).toBe(1);
  expect(await figure('authorization_request_checks_total{result="invalid"}')).toBe(1);
});

test('the pool reports busy connections and waiting requests', async () => {
  expect(await figure('database_pool_max_connections')).toBe(3);
  const held = Array.from({ length: 3 }, () => registry.dataSource.createQueryRunner());
  for (const runner of held) await runner.connect();
  expect(await figure('database_pool_connections{state="busy"}')).toBe(3);
  const waiting = registry.ask('GET', '/client?limit=1');
  // Work in the background may wait, too.
  await eventually(async () => expect(await figure('database_pool_waiting_requests')).toBeGreaterThan(0));
  for (const runner of held) await runner.release();
  expect((await waiting).status).toBe(200);
  await until(0, 'database_pool_waiting_requests');
  await until(0, 'database_pool_connections{state="busy"}');
});

test('open streams are counted, and the link to other replicas is up', async () => {
  await until(1, 'change_notification_link_up');
  expect(await figure('change_streams_limit')).toBe(2000);
  const abort = new AbortController();
  const stream = await fetch(`${registry.url}/clients/changes`, {
    headers: { authorization: `Bearer ${registry.token}`, accept: 'text/event-stream' },
    signal: abort.signal,
  });
  expect(stream.status).toBe(200);
  expect(await figure('change_streams')).toBe(1);
  abort.abort();
  await until(0, 'change_streams');
});
