import { jest } from '@jest/globals';
import { recordFigure, recordSecrets } from '@svc/test-servers';
import { changesSeenBy, CONFIDENTIAL, pathOf, timesToEffect } from './support/changes-in-effect.js';
import { oauth4webapi } from './support/client-libraries.js';
import { PythonServer } from './support/python-server.js';
import { type RegisteredClient, Registry } from './support/registry.js';
import { signInByForm } from './support/sign-in-by-form.js';

jest.setTimeout(120_000);

/** In milliseconds: the server's timeout for a request of the registry, with extra time for a busy machine. */
const ANSWER_MS = 3_000 + 10_000;

const REDIRECT_URI = 'https://shop.example/cb';

let registry: Registry;
let server: PythonServer;
let tokenId: string;
beforeAll(async () => {
  registry = await Registry.start();
  const { id, token } = await registry.mint(['clients:follow', 'clients:check']);
  tokenId = id;
  server = await PythonServer.start(registry.url, token);
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await registry.stop();
});

/** Sends an authorization request. */
const authorize = async ({ client_id }: RegisteredClient, redirect_uri = REDIRECT_URI) => {
  const query = new URLSearchParams({
    ...{ client_id, redirect_uri, response_type: 'code', scope: 'openid', code_challenge_method: 'S256' },
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });
  const response = await fetch(`${server.url}/authorize?${query.toString()}`, { redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** Authenticates at the token endpoint with an invalid code: 400 means that the secret is valid. */
const authenticate = async ({ client_id: id }: RegisteredClient, secret: string) => {
  const credentials = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  const response = await fetch(`${server.url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code: 'none', redirect_uri: REDIRECT_URI }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const isRefused = async (client: RegisteredClient, redirectUri?: string) => {
  const { status, headers, text } = await authorize(client, redirectUri);
  if (status === 200) return false;
  expect([status, headers.get('location')]).toEqual([400, null]);
  expect(text).toMatch(/invalid_request|invalid_client|unauthorized_client/);
  return true;
};
const isAuthenticated = async (client: RegisteredClient, secret = client.client_secret) => {
  const { status, text } = await authenticate(client, secret);
  expect(JSON.parse(text)).toMatchObject({ error: status === 401 ? 'invalid_client' : 'invalid_grant' });
  return status !== 401;
};

const CHANGES = changesSeenBy({
  ask: (method, path, body) => registry.ask(method, path, body),
  isAccepted: async (client) => !(await isRefused(client)),
  isAuthenticated,
});

describe('each change is in effect within a second', () => {
  const times: number[] = [];
  afterAll(() => {
    const worst = Math.max(...times).toFixed(0);
    recordFigure(`over HTTP: ${times.length} changes in effect after, at most`, `${worst} ms`);
  });

  test.each(CHANGES)('%s', async (_name, change) => {
    times.push(...(await timesToEffect(registry, change)));
  });
});

test('a client library signs in with authorization code, PKCE and a secret', async () => {
  const { token } = await registry.mint(['clients:register']);
  const { client, subject } = await oauth4webapi(
    server.url,
    token,
    { client_name: 'Shop', redirect_uris: [REDIRECT_URI], ...CONFIDENTIAL },
    (address) => signInByForm(address, REDIRECT_URI),
  );
  recordSecrets(String(client['client_secret']));
  expect(subject).toBe('Ada Lovelace');
});

test('a redirect URI that is not registered is never redirected to', async () => {
  const client = await registry.register();
  for (const uri of ['https://evil.example/cb', `${REDIRECT_URI}/`, `${REDIRECT_URI}?x=1`, 'javascript:1']) {
    expect(await isRefused(client, uri)).toBe(true);
  }
});

test('during a rotation’s overlap both secrets are valid', async () => {
  const client = await registry.register(CONFIDENTIAL);
  const rotated = await registry.ask<RegisteredClient>('POST', `${pathOf(client)}/reset_secret`, {
    overlap: '1 h',
  });
  recordSecrets(rotated.client_secret);
  expect(await isAuthenticated(client)).toBe(true);
  expect(await isAuthenticated(client, rotated.client_secret)).toBe(true);
  expect(await isAuthenticated(client, 'a guess')).toBe(false);
});

/** Both endpoints return a clear error, without redirecting. */
const expectUnavailable = async (client: RegisteredClient) => {
  const asked = performance.now();
  const answers = await Promise.all([authorize(client), authenticate(client, client.client_secret)]);
  for (const { status, headers, text } of answers) {
    expect([status, headers.get('location'), headers.get('retry-after')]).toEqual([503, null, '2']);
    expect(text).toContain('temporarily_unavailable');
  }
  return performance.now() - asked;
};

test('a registry that is killed or frozen permits nothing, at once, until it is back', async () => {
  const client = await registry.register(CONFIDENTIAL);
  expect([await isRefused(client), await isAuthenticated(client)]).toEqual([false, true]);
  await registry.vanish();
  const refusedMs = await expectUnavailable(client);
  recordFigure('over HTTP: the registry killed: refused in', `${refusedMs.toFixed(0)} ms`);
  await registry.appear();
  expect([await isRefused(client), await isAuthenticated(client)]).toEqual([false, true]);

  registry.freeze();
  try {
    expect(await expectUnavailable(client)).toBeLessThan(ANSWER_MS);
  } finally {
    registry.thaw();
  }
  expect([await isRefused(client), await isAuthenticated(client)]).toEqual([false, true]);
});

test('a revoked token permits nothing, and the log has the reason without the token', async () => {
  const client = await registry.register(CONFIDENTIAL);
  await registry.ask('DELETE', `/token/${tokenId}`);
  await expectUnavailable(client);
  expect(server.printed()).toContain('client registry: POST /client/{client_id}/check/secret: status 401');
});
