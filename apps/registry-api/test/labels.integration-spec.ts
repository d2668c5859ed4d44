import { type RunningRegistry, registration, runRegistry } from './running-registry.js';
import { metadataOf, store } from './list/stored-clients.js';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry({ REGISTRATION: 'token' });
});
afterAll(async () => registry.close());

const register = async (id: string, labels?: Record<string, string>): Promise<Record<string, unknown>> =>
  (await registry.ask('POST', '/client', { body: registration({ preferred_client_id: id, labels }) })).body;
const idsOf = async (query: string): Promise<string[]> => {
  const { status, body } = await registry.ask('GET', `/client?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return (body['clients'] as { client_id: string }[]).map(({ client_id }) => client_id);
};

test('labels, contacts and a description are kept through every way of changing a Client', async () => {
  const more = { contacts: ['shop@example.com'], description: 'The shop' };
  const body = registration({ preferred_client_id: 'kept', labels: { team: 'shop' }, ...more });
  expect((await registry.ask('POST', '/client', { body })).body).toMatchObject({
    labels: { team: 'shop' },
    ...more,
  });

  const patched = await registry.ask('PATCH', '/client/kept', { body: { labels: { tier: 'gold' } } });
  expect(patched.body['labels']).toEqual({ team: 'shop', tier: 'gold' });

  const operations = [{ op: 'update', client_id: 'kept', patch: { labels: { team: null } } }];
  await registry.ask('POST', '/clients/bulk', { body: { operations } });
  const record = (await registry.ask('GET', '/client/kept')).body;
  expect(record['labels']).toEqual({ tier: 'gold' });

  const line = JSON.stringify({ ...record, labels: { tier: 'silver' } });
  const headers = { 'content-type': 'application/x-ndjson' };
  await registry.ask('POST', '/clients/import', { body: line, headers });
  const history = await registry.ask('GET', '/client/kept/history?limit=1');
  expect(history.body['changes']).toMatchObject([
    { changed: [{ field: 'labels', before: { tier: 'gold' }, after: { tier: 'silver' } }] },
  ]);
  const feed = await registry.ask('GET', '/clients/changes?newest=1');
  expect(feed.body['changes']).toMatchObject([{ client: { labels: { tier: 'silver' }, ...more } }]);

  await registry.ask('PUT', '/client/kept', { body: registration() });
  expect((await registry.ask('GET', '/client/kept')).body).not.toHaveProperty('labels');
});

test('lists and exports are filtered by labels', async () => {
  await register('a', { team: 'a', tier: 'gold' });
  await register('b', { team: 'b' });
  await register('none');
  const among = (ids: readonly string[]) => ids.filter((id) => ['a', 'b', 'none'].includes(id));
  expect(await idsOf('label=team:a')).toEqual(['a']);
  expect(await idsOf('label=team:a&label=tier:gold')).toEqual(['a']);
  expect(await idsOf('label=team:a&label=tier:silver')).toEqual([]);
  expect(among(await idsOf('label=team'))).toEqual(['a', 'b']);
  expect(among(await idsOf('label!=team:a'))).toEqual(['b', 'none']);
  expect(among(await idsOf('label!=team'))).toEqual(['none']);
  expect((await registry.ask('GET', '/client?label=team:a&count=true')).body['total']).toBe(1);
  expect((await registry.ask('GET', '/client?label=a%20b')).status).toBe(400);
  expect((await registry.ask('GET', '/client?label=team:-')).status).toBe(400);
  const csv = await fetch(`${registry.url}/clients/export?label=team:a`, {
    headers: { authorization: `Bearer ${registry.token}`, accept: 'text/csv' },
  });
  expect(await csv.text()).toContain('"team:a\ntier:gold"');
});

test('the server alone says what manages a Client and who registered it', async () => {
  const byBootstrap = { id: expect.any(String) as string, name: 'bootstrap' };
  expect(await register('by-user')).toMatchObject({ managed_by: 'users', registered_by: byBootstrap });
  const forged = registration({ managed_by: 'set:mine' });
  expect((await registry.ask('POST', '/client', { body: forged })).status).toBe(400);
  expect((await registry.ask('PATCH', '/client/by-user', { body: { managed_by: 'import' } })).status).toBe(
    400,
  );

  const line = JSON.stringify(registration({ client_id: 'imported', managed_by: 'set:mine' }));
  const headers = { 'content-type': 'application/x-ndjson' };
  await registry.ask('POST', '/clients/import', { body: line, headers });
  expect(await idsOf('managed_by=import')).toEqual(['imported']);

  const { client_id: own } = (await registry.ask('POST', '/register', { body: registration() })).body;
  expect(await idsOf('managed_by=developers')).toEqual([own]);
});

test('the statistics count labels and managers', async () => {
  const { body } = await registry.ask('GET', '/clients/stats');
  expect(body['labels']).toContainEqual({ label: 'team:a', clients: 1 });
  expect(body['managers']).toContainEqual({ managed_by: 'developers', clients: 1 });
});

test('rare labels are found through their index', async () => {
  const at = new Date('2026-01-01T00:00:00Z');
  const clients = Array.from({ length: 3_000 }, (_, index) => ({
    clientId: `many-${index}`,
    metadata: metadataOf({ labels: { team: `t${index % 300}` } }),
    ...{ enabled: true, warnings: [], createdAt: at, updatedAt: at },
  }));
  await store(registry.dataSource, clients);
  await registry.dataSource.query('ANALYZE client');
  const plan: { 'QUERY PLAN': string }[] = await registry.dataSource.query(
    `EXPLAIN SELECT client_id FROM client c WHERE c.labels @> '{"team":"t7"}'::jsonb`,
  );
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('client_by_labels');
  expect(await idsOf('label=team:t7&limit=100')).toHaveLength(10);
});
