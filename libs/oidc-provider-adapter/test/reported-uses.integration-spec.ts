import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SECRET, type ShopProvider, startShopProvider } from './shop-provider.js';

let started: ShopProvider;
beforeEach(async () => {
  started = await startShopProvider();
});
afterEach(async () => started.stop());

/** Sends requests to the provider, and returns the uses that it reports. */
const usesOf = async (
  send: (request: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>,
) => {
  const { provider, clients, registry } = started;
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
    Object.assign(started.shop, { code_challenge_method: 'plain' });
    expect(await authorize({ ...code, ...S256 })).toBeNull();
    expect(await authorize({ ...code, ...S256, code_challenge_method: 'plain' })).toBe('invalid_request');
    expect(await authorize({ ...code, ...S256, prompt: 'none' })).toBe('login_required');
    expect(await authorize({ ...code, ...S256, max_age: '-1' })).toBe('invalid_request');
    expect(await authorize(implicit)).toBeNull();
  });
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
  Object.assign(started.shop, { code_challenge_method: 'none', token_endpoint_auth_method: 'none' });
  const query = 'client_id=shop&scope=openid&response_type=code&redirect_uri=https://shop.example/app/';
  const uses = await usesOf(async (request) => {
    const { headers } = await request(`/auth?${query}`);
    expect(headers.get('location')).toContain('error=invalid_request');
  });
  expect(uses).toEqual([['shop', expect.objectContaining({ refusal: 'pkce_missing', pkce: 'none' }), 1]]);
});

test('where the configuration requires no PKCE, a public client without code_challenge is refused for another reason', async () => {
  await started.stop();
  started = await startShopProvider({ pkce: { required: () => false } });
  Object.assign(started.shop, { code_challenge_method: 'none', token_endpoint_auth_method: 'none' });
  const query = 'client_id=shop&scope=openid&response_type=code&redirect_uri=https://shop.example/app/';
  const uses = await usesOf(async (request) => {
    const { headers } = await request(`/auth?${query}&max_age=-1`);
    expect(headers.get('location')).toContain('error=invalid_request');
  });
  expect(uses).toEqual([['shop', expect.objectContaining({ refusal: 'other', pkce: 'none' }), 1]]);
});

test('what applications send for a disabled Client is reported as refused', async () => {
  Object.assign(started.shop, { enabled: false });
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
  });
  const request = { kind: 'request', pkce: 'none', response_type: 'code', origin: 'https://shop.example' };
  expect(uses).toEqual([
    ['shop', { ...request, refusal: 'client_disabled' }, 1],
    ['shop', { kind: 'secret', refusal: 'client_disabled' }, 2],
    ['shop', { kind: 'assertion', refusal: 'assertion_method' }, 1],
  ]);
});
