import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PostgresServer, startPostgres } from '@svc/test-servers';
import { UsedAssertions } from '../../src/assertions/used-assertions.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { claimsOf, makeSigner, nowInSeconds, signByHand } from '../hand-made-assertion.js';
import { ask, pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';
import { flushUsage } from '../usage/recorded.js';

const ISSUER = 'https://login.example.com';
const SIGNER = makeSigner('ES256', 'first');

let postgres: PostgresServer;
let here: RunningRegistry;
let there: RunningRegistry;
let keyServer: Server;
let jwksUri: string;
let published: unknown[];
beforeAll(async () => {
  keyServer = createServer((_request, response) => void response.end(JSON.stringify({ keys: published })));
  await new Promise<void>((resolve) => keyServer.listen(0, '127.0.0.1', resolve));
  jwksUri = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`;
  postgres = await startPostgres();
  const environment = {
    DATABASE_URL: await postgres.createRegistryDatabase(),
    BOOTSTRAP_TOKEN: randomBytes(32).toString('base64url'),
    TOKEN_ENDPOINT_AUTH_METHODS: 'private_key_jwt client_secret_basic',
    CLIENT_METADATA: 'jwks jwks_uri token_endpoint_auth_signing_alg',
    CLIENT_LANGUAGES: 'de',
    JWKS_URI_ALLOW: '127.0.0.1',
    REGISTRATION: 'token',
  };
  here = await runRegistry(environment);
  there = await runRegistry(environment);
}, DATABASE_START_MS);
afterAll(async () => {
  await here.close();
  await there.close();
  await postgres.stop();
  keyServer.closeAllConnections();
  await new Promise((resolve) => keyServer.close(resolve));
});

const withKeys = (more: object = {}) =>
  registration({
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [SIGNER.publicJwk] },
    ...more,
  });
const register = async (more?: object) => {
  const { status, body } = await here.ask('POST', '/client', { body: withKeys(more) });
  expect([status, body['errors']]).toEqual([201, undefined]);
  return String(body['client_id']);
};
const check = async (clientId: string, assertion: unknown, registry = here) =>
  (
    await registry.ask('POST', `${pathOf(clientId)}/check/client_assertion`, {
      body: { client_assertion: assertion, audience: [ISSUER] },
    })
  ).body;
const assertionOf = (clientId: string, more: object = {}, signer = SIGNER) =>
  signByHand({ ...claimsOf(clientId, ISSUER), ...more }, signer);

test('an assertion is valid once, on whichever registry', async () => {
  const id = await register();
  const assertion = assertionOf(id);
  expect(await check(id, assertion)).toEqual({ valid: true });
  const again = { valid: false, rule: 'jti_used', message: expect.any(String) };
  expect(await check(id, assertion)).toEqual(again);
  expect(await check(id, assertion, there)).toEqual(again);
  const raced = assertionOf(id);
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => check(id, raced, at % 2 === 0 ? here : there)),
  );
  expect(answers.filter(({ valid }) => valid)).toHaveLength(1);
});

test('the same jti of another Client is valid; a wrong assertion uses up nothing', async () => {
  const [one, other] = [await register(), await register()];
  expect(await check(one, assertionOf(one, { jti: 'shared', aud: 'x' }))).toMatchObject({ rule: 'audience' });
  expect(await check(one, assertionOf(one, { jti: 'shared' }))).toEqual({ valid: true });
  expect(await check(other, assertionOf(other, { jti: 'shared' }))).toEqual({ valid: true });
  expect(await check(other, assertionOf(one))).toMatchObject({ valid: false, rule: 'issuer' });
});

test('an unknown, a disabled and another Client are not told apart', async () => {
  const disabled = await register();
  await here.ask('POST', `${pathOf(disabled)}/disable`);
  const secret = await register({ token_endpoint_auth_method: 'client_secret_basic' });
  const [first, ...others] = await Promise.all(
    ['nobody', disabled, secret].map(async (id) => check(id, assertionOf(id))),
  );
  expect(first).toMatchObject({ valid: false, rule: 'method' });
  expect(others).toEqual([first, first]);
});

test('keys at jwks_uri are fetched, and new ones are found', async () => {
  published = [SIGNER.publicJwk];
  const id = await register({ jwks: undefined, jwks_uri: jwksUri });
  expect(await check(id, assertionOf(id))).toEqual({ valid: true });
  const gone = await register({ jwks: undefined, jwks_uri: 'http://127.0.0.1:1/keys' });
  expect(await check(gone, assertionOf(gone))).toMatchObject({
    rule: 'keys_unavailable',
    message: 'jwks_uri cannot be read: the host cannot be reached (ECONNREFUSED)',
  });
});

test('assertions count as uses of the Client, and refused ones with their rule', async () => {
  const id = await register();
  await check(id, assertionOf(id));
  await check(id, assertionOf(id, { aud: 'x' }));
  await check('nobody', assertionOf('nobody'));
  const disabled = await register();
  await here.ask('POST', `${pathOf(disabled)}/disable`);
  await check(disabled, assertionOf(disabled));
  await flushUsage(here);
  expect((await here.ask('GET', `${pathOf(id)}/usage`)).body).toMatchObject({
    last_used_at: expect.any(String),
    refusals: [{ rule: 'assertion_audience', count: 1 }],
  });
  expect((await here.ask('GET', `${pathOf(disabled)}/usage`)).body).toMatchObject({
    refusals: [{ rule: 'assertion_method', count: 1 }],
  });
});

test('what is used is deleted soon after it has expired', async () => {
  const id = await register();
  const insert = `INSERT INTO used_assertion SELECT 'old', decode(lpad(to_hex(n), 8, '0'), 'hex'), now() - interval '1 hour'
    FROM generate_series(1, 25) n`;
  await here.dataSource.query(insert);
  for (let count = 0; count < 3; count += 1)
    expect(await check(id, assertionOf(id))).toEqual({ valid: true });
  const [{ left }] = await here.dataSource.query<[{ left: number }]>(
    `SELECT count(*)::int AS left FROM used_assertion WHERE client_id = 'old'`,
  );
  expect(left).toBe(0);
  expect(await check(id, assertionOf(id, { exp: nowInSeconds() + 9_000 }))).toMatchObject({
    rule: 'lifetime',
  });
});

test('a Client may use so many assertions in a minute; using one again does not count', async () => {
  const used = new UsedAssertions(here.dataSource, 3);
  const [client, soon] = [await register(), nowInSeconds() + 60];
  const use = async (jti: string) => [used.exceedsRate(client), await used.use(client, jti, soon)];
  expect(await use('first')).toEqual([false, true]);
  for (let count = 0; count < 10; count += 1) expect(await use('first')).toEqual([false, false]);
  for (const jti of ['second', 'third']) expect(await use(jti)).toEqual([false, true]);
  expect(used.exceedsRate(client)).toBe(true);
  expect(used.exceedsRate('another')).toBe(false);
  expect(used.exceedsRate(client, performance.now() + 60_000)).toBe(false);
});

test('a body without an assertion or audience is 400, and the check requires a token', async () => {
  const path = '/client/x/check/client_assertion';
  for (const body of [
    {},
    { client_assertion: 'x' },
    { client_assertion: 'x', audience: [] },
    { client_assertion: 1, audience: ['x'] },
  ])
    expect((await here.ask('POST', path, { body })).status).toBe(400);
  expect((await ask(`${here.url}${path}`, 'POST', 'wrong', { body: {} })).status).toBe(401);
});

test('developers register keys and names by language, and get no secret; private keys are refused', async () => {
  const { body: created } = await here.ask('POST', '/token', {
    body: { name: 'developers', scopes: ['clients:register'] },
  });
  const register = async (more: object) =>
    ask(`${here.url}/register`, 'POST', String(created['token']), {
      body: { ...withKeys(more), software_id: 'ignored', logo_uri: 'https://shop.example/ignored' },
    });
  const { status, body } = await register({ 'client_name#de': 'Laden' });
  expect([status, body['client_secret']]).toEqual([201, undefined]);
  expect(body).toMatchObject({ 'client_name#de': 'Laden', jwks: { keys: [SIGNER.publicJwk] } });
  expect(body).not.toHaveProperty('logo_uri');
  const d = SIGNER.privateKey.export({ format: 'jwk' }).d!;
  const refused = await register({ jwks: { keys: [{ ...SIGNER.publicJwk, d }] } });
  expect([refused.status, refused.body['error']]).toEqual([400, 'invalid_client_metadata']);
  expect(JSON.stringify(refused.body)).not.toContain(d);
});
