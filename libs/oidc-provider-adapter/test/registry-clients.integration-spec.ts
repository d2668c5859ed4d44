import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import Provider, { type Adapter, type Client } from 'oidc-provider';
import { type FeedState, RegistryClients, RegistryUnavailableError } from '../src/index.js';
import { type Answer, type FakeRegistry, startFakeRegistry } from './fake-registry.js';

const SECRET = 'the secret known to the registry';

/** An empty store: no test here gets as far as a session. */
class Store implements Adapter {
  async upsert(): Promise<void> {}
  async find(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}

const shop = {
  client_id: 'shop',
  enabled: true,
  redirect_uris: ['https://shop.example/app/'],
  redirect_uri_validation_method: 'prefix_match',
  code_challenge_method: 'S256',
  application_type: 'web',
  response_types: ['code', 'id_token'],
  grant_types: ['authorization_code', 'implicit'],
  token_endpoint_auth_method: 'client_secret_basic',
  cookie_name: 'SvcClient_SHOP',
};

const answer: Answer = (request, response) => {
  const json = { 'content-type': 'application/json' };
  if (request.url === '/clients/changes') {
    feed = response.writeHead(200, { 'content-type': 'text/event-stream' });
    feed.write('retry: 10\nid: 1\n\n');
  } else if (request.url === '/client/shop') {
    response.writeHead(200, { ...json, etag: '"1"' }).end(JSON.stringify(shop));
  } else if (request.url === '/client/shop/check/secret') {
    const valid = registry.bodies.at(-1) === JSON.stringify({ client_secret: SECRET });
    response.writeHead(200, json).end(JSON.stringify({ valid }));
  } else response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}');
};

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let registry: FakeRegistry;
let feed: ServerResponse;
let clients: RegistryClients;
let provider: Provider;
let states: FeedState[];
beforeEach(async () => {
  states = [];
  registry = await startFakeRegistry(answer);
  clients = new RegistryClients({
    url: registry.url,
    token: 'a-token',
    onFeed: (state) => void states.push(state),
  });
  provider = new Provider(
    'https://issuer.example',
    clients.configure({
      adapter: Store,
      cookies: { keys: ['for tests only'] },
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
      features: { devInteractions: { enabled: false } },
      extraClientMetadata: { properties: ['cookie_name'] },
      clients: [
        {
          client_id: 'static',
          client_secret: 'a secret of its own',
          redirect_uris: ['https://static.example/cb'],
        },
      ],
    }),
  );
});
afterEach(async () => {
  await clients.close();
  await registry.stop();
});

const find = async (clientId: string): Promise<Client> => {
  const found = await provider.Client.find(clientId);
  if (!found) throw new Error(`there is no Client ${clientId}`);
  return found;
};

test('for the registry’s Clients, redirect URIs are compared by the Client’s method and secrets by the registry', async () => {
  clients.attach(provider);
  const client = await find('shop');
  expect(client.redirectUriAllowed('https://shop.example/app/deeper')).toBe(true);
  expect(client.redirectUriAllowed('https://shop.example/other')).toBe(false);
  expect(await client.compareClientSecret(SECRET)).toBe(true);
  expect(await client.compareClientSecret('a guess')).toBe(false);
  expect(await client.compareClientSecret(String(client.clientSecret))).toBe(false);
  expect(client['cookie_name']).toBe('SvcClient_SHOP');
});

test('a Client of the static configuration is unaffected, and no request is made about it', async () => {
  clients.attach(provider);
  const client = await find('static');
  expect(await client.compareClientSecret('a secret of its own')).toBe(true);
  expect(await client.compareClientSecret(SECRET)).toBe(false);
  expect(client.redirectUriAllowed('https://static.example/cb')).toBe(true);
  expect(client.redirectUriAllowed('https://static.example/cb/deeper')).toBe(false);
  expect(registry.requests.filter((line) => !line.includes('/clients/changes'))).toEqual([]);
});

test('an unattached provider accepts no secret, and redirect URIs by full_match only', async () => {
  const client = await find('shop');
  expect(await client.compareClientSecret(SECRET)).toBe(false);
  expect(client.redirectUriAllowed('https://shop.example/app/deeper')).toBe(false);
});

test('a Client unknown to the registry does not exist', async () => {
  expect(await provider.Client.find('portal')).toBeUndefined();
});

test.each(['upsert', 'destroy', 'consume', 'revokeByGrantId'] as const)(
  'a Client cannot be changed through the provider (%s)',
  async (change) => {
    const { adapter } = provider.Client as unknown as { readonly adapter: Adapter };
    await expect(adapter[change]('shop', {})).rejects.toThrow(
      /registered, changed and deleted at the registry/,
    );
  },
);

test('once closed, no Client is served and the feed is closed', async () => {
  clients.attach(provider);
  while (!clients.isFollowing) await new Promise((resolve) => setImmediate(resolve));
  await clients.close();
  expect([clients.isFollowing, states]).toEqual([false, [{ following: true }]]);
  await expect(find('shop')).rejects.toBeInstanceOf(RegistryUnavailableError);
});

describe('a Client that has changed', () => {
  const isFollowing = async () => {
    while (!clients.isFollowing) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Resolves once the Client was read again after the event. */
  const readAfter = async (event: string) => {
    const { length } = registry.leastChanges;
    feed.write(event);
    while (registry.leastChanges.length === length) {
      await find('shop');
      await new Promise((resolve) => setImmediate(resolve));
    }
    return registry.leastChanges.at(-1);
  };
  const change = (id: string) => `id: ${id}\ndata: ${JSON.stringify({ client_id: 'shop' })}\n\n`;
  beforeEach(async () => {
    await isFollowing();
    await find('shop');
    expect(registry.leastChanges).toEqual([undefined]);
  });

  test('is read as it was after that change, until a second has passed', async () => {
    expect(await readAfter(change('42-9f86d081884c'))).toBe('42-9f86d081884c');
    // The registry has been restored.
    expect(await readAfter(change('7-9f86d081884c'))).toBe('7-9f86d081884c');
    await sleep(1_000);
    await find('shop');
    expect(registry.leastChanges.at(-1)).toBeUndefined();
  });

  test('is read as it was after a change of which the feed does not say which Client it concerns', async () => {
    expect(await readAfter('id: 43-9f86d081884c\ndata: {}\n\n')).toBe('43-9f86d081884c');
  });

  test('is read without a position that no header can contain', async () => {
    expect(await readAfter(change('4 2'))).toBeUndefined();
  });

  test('is read without the position of a change that may have been lost with the feed', async () => {
    await readAfter(change('42-9f86d081884c'));
    const before = feed;
    feed.end();
    while (feed === before) await sleep(5);
    await isFollowing();
    await find('shop');
    expect(registry.leastChanges).toEqual([undefined, '42-9f86d081884c', undefined]);
  });
});

/** Sends requests to the provider, and returns the uses that it reports. */
const usesOf = async (
  send: (request: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>,
) => {
  clients.attach(provider);
  const server = provider.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await send(async (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init }));
  await clients.close();
  await new Promise((resolve) => server.close(resolve));
  const batches = registry.bodies
    .filter((body) => body.includes('"batch_id"'))
    .map((body) => JSON.parse(body));
  expect(batches).toMatchObject([{ rows: expect.any(Array) }, { is_final: true, rows: [] }]);
  const [{ rows }] = batches as [{ rows: { client_id: string; use: object; count: number }[] }];
  return rows.map(({ client_id: id, use, count }) => [id, use, count]);
};

test('each authorization request is reported once, with the rule that it violates', async () => {
  const good = {
    client_id: 'shop',
    scope: 'openid',
    response_type: 'code',
    redirect_uri: 'https://shop.example/app/deeper?ann',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  const { code_challenge: _challenge, code_challenge_method: _method, ...without } = good;
  const uses = await usesOf(async (request) => {
    const authorize = async (parameters: Record<string, string>) =>
      (await request(`/auth?${new URLSearchParams(parameters).toString()}`)).status;
    expect(await authorize(good)).toBe(303);
    expect(await authorize({ ...good, redirect_uri: 'https://shop.example/other' })).toBe(400);
    expect(await authorize(without)).toBe(303);
    await authorize({ ...good, client_id: 'static' });
    await authorize({ ...good, client_id: 'nobody' });
  });
  const pkce = { kind: 'request', pkce: 'S256', response_type: 'code' };
  const prefix = { redirect_uri: 'https://shop.example/app/', match: 'prefix' };
  expect(uses).toEqual([
    ['shop', { ...pkce, ...prefix }, 1],
    ['shop', { ...pkce, refusal: 'no_match', origin: 'https://shop.example' }, 1],
    ['shop', { ...pkce, ...prefix, refusal: 'pkce_missing', pkce: 'none' }, 1],
  ]);
});

test('requests are reported as the provider decides them', async () => {
  const S256 = {
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  const code = { response_type: 'code', redirect_uri: 'https://shop.example/app/' };
  const implicit = { ...code, response_type: 'id_token', nonce: 'n' };
  const uses = await usesOf(async (request) => {
    const authorize = async (parameters: Record<string, string>) => {
      const query = new URLSearchParams({ client_id: 'shop', scope: 'openid', ...parameters }).toString();
      const { headers } = await request(`/auth?${query}`);
      const { hash, searchParams } = new URL(headers.get('location') ?? '', 'https://issuer.example');
      return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
    };
    Object.assign(shop, { code_challenge_method: 'plain' });
    expect(await authorize({ ...code, ...S256 })).toBeNull();
    expect(await authorize({ ...code, ...S256, code_challenge_method: 'plain' })).toBe('invalid_request');
    expect(await authorize({ ...code, ...S256, prompt: 'none' })).toBe('login_required');
    expect(await authorize({ ...code, ...S256, max_age: '-1' })).toBe('invalid_request');
    expect(await authorize(implicit)).toBeNull();
  }).finally(() => Object.assign(shop, { code_challenge_method: 'S256' }));
  const request = { kind: 'request', redirect_uri: code.redirect_uri, match: 'exact' };
  const accepted = { ...request, pkce: 'S256', response_type: 'code' };
  expect(uses).toEqual([
    ['shop', accepted, 2],
    ['shop', { ...accepted, refusal: 'pkce_method_not_allowed', pkce: 'plain' }, 1],
    ['shop', { ...accepted, refusal: 'other' }, 1],
    ['shop', { ...request, pkce: 'none', response_type: 'id_token' }, 1],
  ]);
});

test('a public client that sends no code_challenge is reported as lacking it, whatever it is registered for', async () => {
  Object.assign(shop, { code_challenge_method: 'none', token_endpoint_auth_method: 'none' });
  const query = 'client_id=shop&scope=openid&response_type=code&redirect_uri=https://shop.example/app/';
  const uses = await usesOf(async (request) => {
    const { headers } = await request(`/auth?${query}`);
    expect(headers.get('location')).toContain('error=invalid_request');
  }).finally(() =>
    Object.assign(shop, { code_challenge_method: 'S256', token_endpoint_auth_method: 'client_secret_basic' }),
  );
  expect(uses).toEqual([['shop', expect.objectContaining({ refusal: 'pkce_missing', pkce: 'none' }), 1]]);
});

test('what applications send for a disabled Client is reported as refused', async () => {
  Object.assign(shop, { enabled: false });
  const payload = Buffer.from(JSON.stringify({ iss: 'shop', sub: 'shop' })).toString('base64url');
  const assertion = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `eyJhbGciOiJFUzI1NiJ9.${payload}.c2ln`,
  };
  const uses = await usesOf(async (request) => {
    const authorize = async (client_id: string) => {
      const parameters = { client_id, response_type: 'code', redirect_uri: 'https://shop.example/app/' };
      return (await request(`/auth?${new URLSearchParams(parameters).toString()}`)).status;
    };
    const ask = async (parameters: Record<string, string>, headers: Record<string, string> = {}) => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', ...parameters });
      return (await request('/token', { method: 'POST', body, headers })).status;
    };
    expect(await authorize('shop')).toBe(400);
    await authorize('nobody');
    for (const id of ['shop', 'nobody']) {
      const basic = `Basic ${Buffer.from(`${id}:${SECRET}`).toString('base64')}`;
      expect(await ask({}, { authorization: basic })).toBe(401);
    }
    expect(await ask({ client_id: 'shop', client_secret: SECRET })).toBe(401);
    expect(await ask(assertion)).toBe(401);
  }).finally(() => Object.assign(shop, { enabled: true }));
  const request = { kind: 'request', pkce: 'none', response_type: 'code', origin: 'https://shop.example' };
  expect(uses).toEqual([
    ['shop', { ...request, refusal: 'client_disabled' }, 1],
    ['shop', { kind: 'secret', refusal: 'client_disabled' }, 2],
    ['shop', { kind: 'assertion', refusal: 'assertion_method' }, 1],
  ]);
});

test('a redirect URI fails from the instant of its end, also for a Client that was read before', async () => {
  const preview = 'https://preview.example/cb';
  const end = Date.now() + 60_000;
  Object.assign(shop, {
    redirect_uris: ['https://shop.example/app/', preview],
    temporary_redirect_uris: [{ redirect_uri: preview, expires_at: new Date(end).toISOString() }],
  });
  clients.attach(provider);
  const client = await find('shop');
  expect(client.redirectUriAllowed(preview)).toBe(true);
  jest.spyOn(Date, 'now').mockReturnValue(end);
  expect(client.redirectUriAllowed(preview)).toBe(false);
  expect(client.redirectUriAllowed('https://shop.example/app/deeper')).toBe(true);
});
