import { DATABASE_START_MS } from '../on-both-databases.js';
import { ask, type RunningRegistry, runRegistry } from '../running-registry.js';

/*
 * The newest changes that a restricted token sees, among far more of others. They are inserted by SQL, since so many requests
 * would take minutes.
 */

let registry: RunningRegistry;
let token: string;

beforeAll(async () => {
  registry = await runRegistry();
  const body = { name: 'shop', scopes: ['clients:read'], selector: { team: 'shop' } };
  token = String((await registry.ask('POST', '/token', { body })).body['token']);
}, DATABASE_START_MS);
afterAll(async () => registry.close());

const insert = async (clientId: string, team: string | null, count: number) =>
  registry.dataSource.query(
    `INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address, labels)
     SELECT next_change_seq(), $1 || n, 'deleted', now(), 'x', 'x', '192.0.2.1', $2::jsonb
     FROM generate_series(1, $3::int) n`,
    [clientId, JSON.stringify(team === null ? {} : { team }), count],
  );
const newest = async (count: number) => {
  const path = `/clients/changes?newest=${count}`;
  const { status, body } = await ask(registry.url + path, 'GET', token);
  expect(status).toBe(200);
  const changes = body['changes'] as { client_id: string; seq: number }[];
  return { body, ids: changes.map(({ client_id: id }) => id) };
};

test('they are the newest by number, oldest first', async () => {
  await insert('many', 'shop', 120);
  expect((await newest(3)).ids).toEqual(['many118', 'many119', 'many120']);
  await registry.dataSource.query('TRUNCATE client_change');
});

test('the newest changes are found behind more than ten thousand that are not seen', async () => {
  expect((await newest(5)).ids).toEqual([]);
  await insert('former', 'shop', 3);
  await insert('hidden', 'billing', 10_500);
  await insert('middle', 'shop', 2);
  for (const part of ['a', 'b', 'c']) await insert(`unlabelled-${part}`, null, 7_000);
  expect((await newest(1)).ids).toEqual(['middle2']);
  expect((await newest(4)).ids).toEqual(['former2', 'former3', 'middle1', 'middle2']);
  const { ids, body } = await newest(500);
  expect(ids).toEqual(['former1', 'former2', 'former3', 'middle1', 'middle2']);
  expect(body).not.toHaveProperty('next');

  await insert('latest', 'shop', 1);
  expect((await newest(2)).ids).toEqual(['middle2', 'latest1']);
  const since = String(body['last_seq']);
  const after = await ask(`${registry.url}/clients/changes?since=${since}`, 'GET', token);
  expect(after.body['changes']).toMatchObject([{ client_id: 'latest1' }]);
});
