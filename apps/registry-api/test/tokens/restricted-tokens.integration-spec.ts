import { randomBytes, randomUUID } from 'node:crypto';
import { SharedPostgres } from '@svc/test-servers';
import { FollowedChanges } from '../changes/followed-changes.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import {
  type Answer,
  ask,
  registration,
  type RunningRegistry,
  runRegistry,
  type Sent,
} from '../running-registry.js';

/*
 * Two processes of a registry on one database, the second behind a proxy, and tokens of two teams.
 */

const SCOPES = ['clients:read', 'clients:write', 'tokens:write'];

const server = new SharedPostgres();
let registry: RunningRegistry;
let behindProxy: RunningRegistry;
let shop: string;
let billing: string;

beforeAll(async () => {
  const environment = {
    DATABASE_URL: await server.createRegistryDatabase(),
    BOOTSTRAP_TOKEN: randomBytes(32).toString('base64url'),
  };
  registry = await runRegistry(environment);
  behindProxy = await runRegistry({ ...environment, TRUSTED_PROXIES: '127.0.0.1' });
  [shop, billing] = [await tokenOf('shop'), await tokenOf('billing')];
}, DATABASE_START_MS);
afterAll(async () => {
  await Promise.all([registry.close(), behindProxy.close()]);
  await server.dropDatabases();
});

const as = async (token: string, method: string, path: string, sent?: Sent): Promise<Answer> =>
  ask(registry.url + path, method, token, sent);
const create = async (body: object, by = registry.token): Promise<Answer> =>
  as(by, 'POST', '/token', { body: { name: 'made', scopes: SCOPES, ...body } });
const valueOf = async (made: Promise<Answer>): Promise<string> => {
  const { status, body } = await made;
  expect([status, body]).toEqual([201, expect.anything()]);
  return String(body['token']);
};
const tokenOf = async (team: string) => valueOf(create({ name: team, selector: { team } }));
const idsOf = ({ body }: Answer): unknown[] => (body['tokens'] as { id: string }[]).map(({ id }) => id);

describe('tokens that create tokens', () => {
  test('a chain of tokens, each created with the one before, has at most 50', async () => {
    let last = shop;
    // The first is the bootstrap token, which created the team's.
    for (let length = 3; length <= 50; length += 1) last = await valueOf(create({}, last));
    const { status, body } = await create({}, last);
    expect([status, body['detail']]).toEqual([409, expect.stringContaining('chain of 50 tokens')]);
    // Beside it there is room.
    expect((await create({}, shop)).status).toBe(201);
    const descendants = idsOf(await as(shop, 'GET', '/token'));
    expect(descendants).toHaveLength(49);
  });

  test('a token narrows the selector of the one it is created with, to at most 16 labels in all', async () => {
    const labels = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`l${from + index}`, 'x']));
    const held = await valueOf(create({ selector: labels(0, 10) }));
    const full = await create({ selector: labels(8, 16) }, held);
    expect([full.status, full.body['selector']]).toEqual([201, labels(0, 16)]);
    const { status, body } = await create({ selector: labels(8, 17) }, held);
    expect([status, body['detail']]).toEqual([400, expect.stringMatching(/at most 16 labels.*has 17/)]);
  });

  test('ended tokens are listed only to those that created them', async () => {
    const before = idsOf(await as(shop, 'GET', '/token?state=ended'));
    const ours = (await create({}, shop)).body['id'];
    const theirs = (await create({}, billing)).body['id'];
    for (const id of [ours, theirs]) await as(registry.token, 'DELETE', `/token/${String(id)}`);
    expect(idsOf(await as(shop, 'GET', '/token?state=ended'))).toEqual([ours, ...before]);
    expect(idsOf(await as(registry.token, 'GET', '/token?state=ended'))).toEqual(
      expect.arrayContaining([ours, theirs]),
    );
    const statusBefore = async (id: unknown) =>
      (await as(shop, 'GET', `/token?state=ended&before=${String(id)}`)).status;
    expect([await statusBefore(ours), await statusBefore(theirs)]).toEqual([200, 404]);
  });
});

describe('an Idempotency-Key', () => {
  test('of another team names another request', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const register = async (token: string) =>
      as(token, 'POST', '/client', { body: registration(), headers: key });
    const [first, other, again] = [await register(shop), await register(billing), await register(shop)];
    expect([first, other, again].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(other.body).toMatchObject({ labels: { team: 'billing' } });
    expect(other.body['client_id']).not.toBe(first.body['client_id']);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
    expect(again.body['client_id']).toBe(first.body['client_id']);
    const tokens = await Promise.all(
      [shop, billing].map((token) =>
        as(token, 'POST', '/token', { body: { name: 'k', scopes: ['clients:read'] }, headers: key }),
      ),
    );
    expect(tokens.map(({ status }) => status)).toEqual([409, 409]);
  });

  test('does not bring back a Client that has left the reach of its token', async () => {
    const sent = { body: registration(), headers: { 'idempotency-key': randomUUID() } };
    const { body } = await as(shop, 'POST', '/client', sent);
    const path = `/client/${String(body['client_id'])}`;
    await as(registry.token, 'PATCH', path, { body: { labels: { team: 'billing' }, client_name: 'Taken' } });
    const again = await as(shop, 'POST', '/client', sent);
    expect([again.status, JSON.stringify(again.body)]).toEqual([409, expect.not.stringContaining('Taken')]);
  });
});

test('of 20 requests at once over two processes, exactly max_uses succeed', async () => {
  const token = await valueOf(create({ scopes: ['clients:read'], max_uses: 7 }));
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const { url } = index % 2 === 0 ? registry : behindProxy;
      return (await ask(`${url}/client`, 'GET', token)).status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(7);
  expect(statuses.filter((status) => status === 401)).toHaveLength(13);
});

test.each([
  ['the proxy names an allowed address', true, '203.0.113.7', 200],
  ['the proxy names another address', true, '198.51.100.1', 401],
  ['the caller forges the address before the one of the proxy', true, '203.0.113.7, 198.51.100.1', 401],
  ['the proxy names none', true, undefined, 401],
  ['the caller is no trusted proxy', false, '203.0.113.7', 401],
])('a token for a network: %s', async (_case, isProxied, forwarded, expected) => {
  const token = await valueOf(create({ scopes: ['clients:read'], networks: ['203.0.113.0/24'] }));
  const { url } = isProxied ? behindProxy : registry;
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  expect((await ask(`${url}/client`, 'GET', token, { headers })).status).toBe(expected);
});

test('a token restricted to a network works from there, and creates only tokens that do', async () => {
  const token = await valueOf(create({ networks: ['127.0.0.0/8', '::1'] }));
  expect((await as(token, 'GET', '/client')).status).toBe(200);
  const networksOf = async (restrictions: object) => (await create(restrictions, token)).body['networks'];
  expect(await networksOf({})).toEqual(['127.0.0.0/8', '::1']);
  expect(await networksOf({ networks: ['127.0.0.1'] })).toEqual(['127.0.0.1']);
  expect((await create({ networks: ['10.0.0.0/8'] }, token)).status).toBe(403);
});

test('a Client that comes or goes is seen coming and going, and no further', async () => {
  const patch = async (body: object) => as(registry.token, 'PATCH', '/client/moving', { body });
  const body = registration({ preferred_client_id: 'moving', client_name: 'Hidden first' });
  await as(registry.token, 'POST', '/client', {
    body: { ...body, labels: { team: 'billing', secret: 'hidden' } },
  });
  await patch({ labels: { team: 'shop', secret: null }, client_name: 'Ours' });
  await as(registry.token, 'POST', '/client/moving/disable');
  const last = await patch({ labels: { team: 'billing' }, client_name: 'Hidden' });
  await as(registry.token, 'POST', '/client/moving/enable');
  expect((await as(shop, 'GET', '/client/moving')).status).toBe(404);
  const history = await as(shop, 'GET', '/client/moving/history');
  expect(JSON.stringify(history.body)).not.toMatch(/hidden|billing/i);
  const kinds = (changes: unknown) => (changes as { kind: string }[]).map(({ kind }) => kind);
  expect(kinds(history.body['changes'])).toEqual(['updated', 'disabled', 'updated']);
  const feed = await as(shop, 'GET', '/clients/changes?newest=2');
  const cursor = last.headers.get('etag')?.replaceAll('"', '');
  expect(feed.body['changes']).toMatchObject([
    { client_id: 'moving', kind: 'disabled', client: null },
    { client_id: 'moving', kind: 'updated', client: null, cursor },
  ]);
  expect(JSON.stringify(feed.body)).not.toMatch(/hidden|billing/i);
});

test('a stream sends what its token reaches', async () => {
  const [theirs, ours] = await Promise.all(
    [billing, shop].map((token) => as(token, 'POST', '/client', { body: registration() })),
  );
  const describeIt = async ({ body }: Answer, description: string) =>
    as(registry.token, 'PATCH', `/client/${String(body['client_id'])}`, { body: { description } });
  const stream = await FollowedChanges.open(registry, shop);
  await describeIt(theirs!, 'hidden');
  await describeIt(ours!, 'seen');
  const [change] = await stream.arrived(1);
  stream.close();
  expect(change).toMatchObject({ client_id: ours!.body['client_id'], client: { description: 'seen' } });
  expect(stream.changes).toHaveLength(1);
});

test('an earlier version, which knows no restrictions, cannot find a restricted token', async () => {
  const found = async (token: string): Promise<unknown[]> =>
    registry.dataSource.query(`SELECT FROM api_token WHERE hash = sha256(convert_to($1, 'UTF8'))`, [token]);
  expect(await found(await valueOf(create({})))).toHaveLength(1);
  expect(await found(shop)).toEqual([]);
});

describe('a set with Clients of both teams', () => {
  const load = async (token: string, ids: readonly string[], query: string) =>
    as(token, 'POST', `/clients/import?${query}`, {
      body: ids.map((id) => `${JSON.stringify(registration({ client_id: id }))}\n`).join(''),
      headers: { 'content-type': 'application/x-ndjson' },
    });
  const managerOf = async (id: string) =>
    (await as(registry.token, 'GET', `/client/${id}`)).body['managed_by'];

  test('is pruned and taken over only as far as the token reaches', async () => {
    expect((await load(shop, ['shop-1', 'shop-2'], 'set=both')).body).toMatchObject({ registered: 2 });
    expect((await load(billing, ['bill-1', 'bill-2'], 'set=both')).body).toMatchObject({ registered: 2 });
    const dry = await load(shop, ['shop-1'], 'set=both&prune=true&dry_run=true');
    expect(dry.body).toMatchObject({ deleted: 1 });
    expect(JSON.stringify(dry.body)).not.toContain('bill-');
    expect((await load(shop, ['shop-1'], 'set=both&prune=true')).body).toMatchObject({ deleted: 1 });
    expect((await as(registry.token, 'GET', '/client/shop-2')).status).toBe(404);
    expect([await managerOf('bill-1'), await managerOf('bill-2')]).toEqual(['set:both', 'set:both']);

    const taken = await load(billing, ['bill-1'], 'set=other&take_over=true');
    expect(taken.body).toMatchObject({ taken_over: 1 });
    const refused = await load(billing, ['bill-2', 'shop-1'], 'set=other&take_over=true');
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).not.toContain('set:both');
    expect(await managerOf('shop-1')).toBe('set:both');
    expect(await managerOf('bill-2')).toBe('set:both');
  });
});

test('restrictions that cannot be kept are refused', async () => {
  for (const scope of ['metrics:read', 'audit:read']) {
    expect((await create({ selector: { team: 'a' }, scopes: [scope] })).status).toBe(400);
  }
  expect((await create({ max_uses: 1 })).status).toBe(400);
  for (const wrong of [
    { selector: {} },
    { selector: { team: [] } },
    { selector: { 'te am': 'a' } },
    // As some programs write what is empty; it would mean no restriction.
    { selector: null },
    { client_id: null },
    { networks: null },
    { networks: [] },
    { networks: ['example.com'] },
    { max_uses: 0 },
  ]) {
    expect([wrong, (await create(wrong)).status]).toEqual([wrong, 400]);
  }
});

describe('an initial access token, whose developers set neither labels nor ids,', () => {
  const TEAMS = { team: ['a', 'b'] };

  test.each([
    ['/selector', { selector: TEAMS }],
    ['/client_id', { client_id: 'app' }],
    ['/client_id', { client_id: 'app', scopes: ['clients:register', 'tokens:write'] }],
  ])('is refused if its %s allows no registration', async (field, restriction) => {
    const { status, body } = await create({ scopes: ['clients:read', 'clients:register'], ...restriction });
    expect([status, body['errors']]).toEqual([400, [expect.objectContaining({ field })]]);
  });

  test('is refused if that follows from the token it is created with', async () => {
    const held = await valueOf(create({ scopes: ['clients:register', 'tokens:write'], selector: TEAMS }));
    const scopes = ['clients:register'];
    expect(await create({ scopes }, held)).toMatchObject({
      status: 400,
      body: { errors: [{ field: '/selector' }] },
    });
    await valueOf(create({ scopes, selector: { team: 'b' } }, held));
  });

  test('may have other restrictions, and those if it also registers as an administrator', async () => {
    await valueOf(create({ scopes: ['clients:register'], selector: { team: 'a', tier: ['gold'] } }));
    for (const restriction of [{ selector: TEAMS }, { client_id: 'app' }])
      await valueOf(create({ scopes: ['clients:register', 'clients:write'], ...restriction }));
  });
});
