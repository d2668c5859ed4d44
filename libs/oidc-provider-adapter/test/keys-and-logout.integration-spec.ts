import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { UsageBatch } from '@svc/client-metadata';
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import { RegistryClients } from '../src/index.js';
import { type FakeRegistry, startFakeRegistry } from './fake-registry.js';

const VERIFIER = 'v'.repeat(43);
const CALLBACK = 'https://shop.example/cb';
const AFTER_LOGOUT = 'https://shop.example/bye';

/** A store that keeps what it is given, for all models together. */
class Store implements Adapter {
  private static readonly stored = new Map<string, AdapterPayload>();

  constructor(private readonly model: string) {}

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    Store.stored.set(`${this.model}:${id}`, payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return Store.stored.get(`${this.model}:${id}`);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...Store.stored.values()].find((payload) => payload.uid === uid && payload.kind === this.model);
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    Object.assign(Store.stored.get(`${this.model}:${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1000) });
  }

  async destroy(id: string): Promise<void> {
    Store.stored.delete(`${this.model}:${id}`);
  }

  async revokeByGrantId(): Promise<void> {}
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEYS = newKey();
const jwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), kid: 'a', use: 'sig' });

let registry: FakeRegistry;
let clients: RegistryClients;
let server: Server;
let issuer: string;
let application: Server;
let calls: { readonly path: string | undefined; readonly body: string }[];
beforeAll(async () => {
  calls = [];
  application = await listening(async (request) => {
    calls.push({ path: request.url, body: await text(request) });
    return JSON.stringify({ keys: [jwk(KEYS.publicKey)] });
  });
  registry = await startFakeRegistry((request, response) => {
    const id = request.url?.slice('/client/'.length) ?? '';
    const client = clientOf(id);
    if (request.url === '/clients/changes') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\n\n');
    } else if (client) {
      response
        .writeHead(200, { 'content-type': 'application/json', etag: '"1"' })
        .end(JSON.stringify(client));
    } else response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}');
  });
  // On a busy machine a connection that is idle for Node's default of 5 s may close just as the next request is sent.
  server = createServer({ keepAliveTimeout: 60_000 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = addressOf(server);
  clients = new RegistryClients({ url: registry.url, token: 'a-token', reportUsage: false });
  const provider = new Provider(issuer, clients.configure(configuration()));
  clients.attach(provider);
  const respond = provider.callback();
  server.on('request', (request, response) => void respond(request, response));
});
afterAll(async () => {
  await clients.close();
  await registry.stop();
  for (const each of [server, application]) {
    each.closeAllConnections();
    await new Promise((resolve) => each.close(resolve));
  }
});

function configuration() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    adapter: Store,
    cookies: { keys: ['for tests only'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    clientAuthMethods: ['private_key_jwt' as const, 'none' as const],
    scopes: ['openid', 'orders', 'admin'],
    // Its default refuses loopback addresses, where the application is.
    fetch: async (url: string | URL | Request, options: { dispatcher?: unknown } = {}) => {
      const { dispatcher: _guard, ...others } = options;
      return fetch(url, others);
    },
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    extraClientMetadata: { properties: ['client_name#de'] },
    findAccount: async (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId }),
    }),
  };
}

/** As the registry returns them. */
function clientOf(id: string): object | undefined {
  const shop = {
    client_id: id,
    client_name: 'Shop',
    'client_name#de': 'Laden',
    enabled: true,
    redirect_uris: [CALLBACK],
    redirect_uri_validation_method: 'full_match',
    code_challenge_method: 'S256',
    application_type: 'web',
    grant_types: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    logo_uri: 'https://shop.example/logo.svg',
    tos_uri: 'https://shop.example/terms',
    policy_uri: 'https://shop.example/privacy',
    scope: 'openid orders',
    post_logout_redirect_uris: [AFTER_LOGOUT],
    backchannel_logout_uri: `${addressOf(application)}/logout`,
    backchannel_logout_session_required: true,
    frontchannel_logout_uri: 'https://shop.example/logout',
    frontchannel_logout_session_required: true,
  };
  if (id === 'inline') return { ...shop, jwks: { keys: [jwk(KEYS.publicKey)] } };
  return id === 'fetched' ? { ...shop, jwks_uri: `${addressOf(application)}/keys` } : undefined;
}

async function listening(answer: (request: IncomingMessage) => Promise<string>): Promise<Server> {
  const created = createServer((request, response) => {
    void answer(request).then((body) => response.setHeader('content-type', 'application/json').end(body));
  });
  await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
  return created;
}

function addressOf(of: Server): string {
  return `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
}

function assertionOf(clientId: string, more: object = {}, key = KEYS.privateKey): string {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const claims = { iss: clientId, sub: clientId, aud: issuer, exp, jti: randomUUID(), ...more };
  const input = [{ alg: 'ES256', kid: 'a' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

async function token(
  parameters: Record<string, string>,
  assertion: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...parameters,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

test.each(['inline', 'fetched'])(
  'a Client with %s keys authenticates by private_key_jwt, once each',
  async (id) => {
    const parameters = { grant_type: 'client_credentials', scope: 'orders' };
    const assertion = assertionOf(id);
    expect(await token(parameters, assertion)).toMatchObject({ status: 200, scope: 'orders' });
    const refused = { status: 401, error: 'invalid_client' };
    expect(await token(parameters, assertion)).toMatchObject(refused);
    expect(await token(parameters, assertionOf(id, { aud: 'https://other.example' }))).toMatchObject(refused);
    expect(await token(parameters, assertionOf(id, {}, newKey().privateKey))).toMatchObject(refused);
    expect(await token({ ...parameters, scope: 'admin' }, assertionOf(id))).toMatchObject({
      status: 400,
      error: 'invalid_scope',
    });
  },
);

/** A browser that follows redirects by hand and keeps every cookie. */
class Browser {
  private readonly cookies = new Map<string, string>();

  async open(url: string, form?: Record<string, string>): Promise<{ location: string | null; html: string }> {
    const response = await fetch(new URL(url, issuer), {
      redirect: 'manual',
      headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return { location: response.headers.get('location'), html: await response.text() };
  }

  /** Follows redirects, and accepts each prompt, until the provider redirects elsewhere. */
  async signIn(url: string): Promise<URL> {
    let { location } = await this.open(url);
    for (let step = 0; step < 12 && location?.startsWith(CALLBACK) === false; step += 1) {
      const { location: next, html } = await this.open(location);
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
      const form = { prompt: prompt ?? '', login: 'ann', password: 'x' };
      location = next ?? (await this.open(location, form)).location;
    }
    return new URL(location ?? 'about:blank');
  }
}

test('a user signs in, and after logout the Client is notified and the user is redirected', async () => {
  const browser = new Browser();
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const request = {
    ...{ client_id: 'inline', response_type: 'code', scope: 'openid', redirect_uri: CALLBACK },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  };
  const redirected = await browser.signIn(`/auth?${new URLSearchParams(request).toString()}`);
  const code = redirected.searchParams.get('code') ?? '';
  const tokens = await token(
    { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER },
    assertionOf('inline'),
  );
  expect(tokens).toMatchObject({ status: 200, id_token: expect.any(String) });
  const logout = { id_token_hint: String(tokens['id_token']), post_logout_redirect_uri: AFTER_LOGOUT };
  const elsewhere = { ...logout, post_logout_redirect_uri: 'https://evil.example/' };
  const refused = await browser.open(`/session/end?${new URLSearchParams(elsewhere).toString()}`);
  expect(refused.html).toContain('post_logout_redirect_uri not registered');
  const { html } = await browser.open(`/session/end?${new URLSearchParams(logout).toString()}`);
  const xsrf = /name="xsrf" value="(\w+)"/.exec(html)?.[1] ?? '';
  const { location } = await browser.open('/session/end/confirm', { xsrf, logout: 'yes' });
  expect(location).toBe(AFTER_LOGOUT);
  const logouts = calls.filter(({ path }) => path === '/logout');
  expect(logouts).toHaveLength(1);
  const [, claims = ''] = new URLSearchParams(logouts[0]?.body).get('logout_token')?.split('.') ?? [];
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    ...{ iss: issuer, aud: 'inline', sub: 'ann', sid: expect.any(String) },
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
});

test('pages, front-channel logout and names by language are on the provider’s Client', async () => {
  const provider = new Provider(issuer, clients.configure(configuration()));
  const client = await provider.Client.find('inline');
  expect(client).toMatchObject({
    logoUri: 'https://shop.example/logo.svg',
    tosUri: 'https://shop.example/terms',
    policyUri: 'https://shop.example/privacy',
    frontchannel_logout_uri: 'https://shop.example/logout',
    frontchannel_logout_session_required: true,
    'client_name#de': 'Laden',
  });
  expect(client?.clientSecret).toBeUndefined();
});

test('assertions are reported to the registry with their result', async () => {
  const others = new RegistryClients({ url: registry.url, token: 'a-token' });
  const provider = new Provider(issuer, others.configure(configuration()));
  others.attach(provider);
  const respond = provider.callback();
  const [former] = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => void respond(request, response));
  try {
    const parameters = { grant_type: 'client_credentials', client_id: 'inline' };
    await token(parameters, assertionOf('inline'));
    await token(parameters, assertionOf('inline'));
    await token({ ...parameters, scope: 'admin' }, assertionOf('inline'));
    await token(parameters, assertionOf('inline', { aud: 'https://other.example' }));
    await others.close();
  } finally {
    server.removeAllListeners('request');
    server.on('request', former as RequestListener);
  }
  const reported = registry.bodies.filter((body) => body.includes('"rows"'));
  const rows = reported.flatMap((body) => (JSON.parse(body) as UsageBatch).rows);
  expect(rows.map(({ client_id: id, use, count }) => [id, use, count])).toEqual([
    ['inline', { kind: 'assertion' }, 3],
    ['inline', { kind: 'assertion', refusal: 'assertion_other' }, 1],
  ]);
});
