import { DATABASE_START_MS } from '../on-both-databases.js';
import {
  type Answer,
  ask,
  pathOf,
  registration,
  type RunningRegistry,
  runRegistry,
} from '../running-registry.js';

let registry: RunningRegistry;
let initial: string;

beforeAll(async () => {
  registry = await runRegistry({
    REGISTRATION: 'token',
    TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic client_secret_post',
  });
  const body = { name: 'developers', scopes: ['clients:register'] };
  initial = String((await registry.ask('POST', '/token', { body })).body['token']);
}, DATABASE_START_MS);
afterAll(async () => registry.close());

type Members = Record<string, unknown>;

const withMethod = (method: string) => registration({ token_endpoint_auth_method: method });

const registered = async (method: string): Promise<Members> =>
  (await ask(`${registry.url}/register`, 'POST', initial, { body: withMethod(method) })).body;

const manage = async (method: string, client: Members, body?: unknown): Promise<Answer> => {
  const { registration_client_uri: uri, registration_access_token: token } = client;
  return ask(String(uri), method, String(token), { body });
};

const replaced = async (client: Members, method: string): Promise<Members> => {
  const answer = await manage('PUT', client, { client_id: client['client_id'], ...withMethod(method) });
  expect([answer.status, answer.body['token_endpoint_auth_method']]).toEqual([200, method]);
  return answer.body;
};

const secretsOf = async ({ client_id }: Members): Promise<unknown> =>
  (await registry.ask('GET', pathOf(client_id))).body['client_secrets'];

const isValid = async ({ client_id }: Members, client_secret: unknown): Promise<unknown> =>
  (await registry.ask('POST', `${pathOf(client_id)}/check/secret`, { body: { client_secret } })).body[
    'valid'
  ];

const SECRET = /^[\w-]{43}$/;

test('a Client with the method none has no secret, in no response and not in the database', async () => {
  const client = await registered('none');
  const read = (await manage('GET', client)).body;
  for (const answer of [client, read, await replaced(client, 'none')]) {
    expect(Object.keys(answer).filter((name) => name.includes('secret'))).toEqual([]);
  }
  expect(await secretsOf(client)).toEqual([]);
});

test('a developer whose secret has expired gets a new one with an update that leaves it out', async () => {
  const client = await registered('client_secret_basic');
  const { client_id, client_secret } = client;
  const expire = `UPDATE client_secret SET expires_at = created_at WHERE client_id = $1`;
  await registry.dataSource.query(expire, [client_id]);
  const update = { client_id, ...withMethod('client_secret_basic') };
  const { status, body } = await manage('PUT', client, { ...update, client_secret });
  expect([status, body['error_description']]).toEqual([
    400,
    expect.stringContaining('not valid, or has expired'),
  ]);
  const renewed = await replaced(client, 'client_secret_basic');
  expect(renewed['client_secret']).toMatch(SECRET);
  expect(await isValid(client, renewed['client_secret'])).toBe(true);
  expect(await replaced(client, 'client_secret_basic')).not.toHaveProperty('client_secret');
  await registry.dataSource.query(expire, [client_id]);
  const other = { ...update, client_name: 'Store' };
  expect((await manage('PUT', client, other)).body['client_secret']).toMatch(SECRET);
  expect(await secretsOf(client)).toHaveLength(1);
});

test('a registration without a method, where none is the default, creates no secret', async () => {
  const { body } = await ask(`${registry.url}/register`, 'POST', initial, { body: registration() });
  expect(body).toMatchObject({ token_endpoint_auth_method: 'none' });
  expect(body).not.toHaveProperty('client_secret');
});

test.each(['client_secret_basic', 'client_secret_post'])(
  'a change from none to %s answers a fresh secret, once',
  async (method) => {
    const client = await registered('none');
    const { client_secret: secret, client_secret_expires_at: end } = await replaced(client, method);
    expect([secret, end]).toEqual([expect.stringMatching(SECRET), 0]);
    expect(await isValid(client, secret)).toBe(true);
    const again = await replaced(client, method);
    expect(again).not.toHaveProperty('client_secret');
    expect(again['client_secret_expires_at']).toBe(0);
    expect((await manage('GET', client)).body).not.toHaveProperty('client_secret');
    expect(await isValid(client, secret)).toBe(true);
  },
);

test('a change to none revokes the secret, and a change back creates another', async () => {
  const client = await registered('client_secret_basic');
  expect(await isValid(client, client['client_secret'])).toBe(true);
  const changed = await replaced(client, 'none');
  expect(Object.keys(changed).filter((name) => name.includes('secret'))).toEqual([]);
  expect(await isValid(client, client['client_secret'])).toBe(false);
  expect(await secretsOf(client)).toEqual([]);
  const { client_secret: fresh } = await replaced(client, 'client_secret_basic');
  expect(await isValid(client, fresh)).toBe(true);
  expect(await isValid(client, client['client_secret'])).toBe(false);
});

test('a change between the methods with a secret keeps it', async () => {
  const client = await registered('client_secret_basic');
  expect(await replaced(client, 'client_secret_post')).not.toHaveProperty('client_secret');
  expect(await isValid(client, client['client_secret'])).toBe(true);
});

test('a Client left without a secret by the administrator’s change of method gets one with its next update', async () => {
  const client = await registered('none');
  const patch = { body: { token_endpoint_auth_method: 'client_secret_basic' } };
  expect((await registry.ask('PATCH', pathOf(client['client_id']), patch)).status).toBe(200);
  const { client_secret: secret } = await replaced(client, 'client_secret_basic');
  expect(await isValid(client, secret)).toBe(true);
  const { changes } = (await registry.ask('GET', `${pathOf(client['client_id'])}/history`)).body;
  expect((changes as Members[])[0]).toMatchObject({ kind: 'secret_rotated' });
});

test('the admin API still creates a secret, whatever the method', async () => {
  const { status, body } = await registry.ask('POST', '/client', { body: withMethod('none') });
  expect([status, body['client_secret']]).toEqual([201, expect.stringMatching(SECRET)]);
});
