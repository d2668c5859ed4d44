import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificates } from '@svc/test-servers';
import { RegistryUnavailableError } from '../src/index.js';
import { RegistryApi } from '../src/registry-api.js';
import { RegistryHttp } from '../src/registry-http.js';
import { readOptions, type RegistryOptions } from '../src/registry-options.js';
import { type Answer, type FakeRegistry, startFakeRegistry } from './fake-registry.js';

const TOKEN = 'a-token-like-no-other-1234567890';

const SHOP = {
  client_id: 'shop',
  enabled: true,
  redirect_uris: ['https://shop.example/cb'],
  redirect_uri_validation_method: 'full_match',
  application_type: 'web',
  token_endpoint_auth_method: 'none',
};

let registry: FakeRegistry;
let http: RegistryHttp;
let api: RegistryApi;

const serve = async (answer: Answer, options: Partial<RegistryOptions> = {}) => {
  registry = await startFakeRegistry(answer);
  connect(options);
};
const connect = (options: Partial<RegistryOptions> = {}) => {
  http = new RegistryHttp(readOptions({ url: registry.url, token: TOKEN, timeoutMs: 5_000, ...options }));
  api = new RegistryApi(http);
};
afterEach(async () => {
  http.close();
  await registry.stop();
});

/** The reason a request failed; also checks that the token is not in it. */
const reasonOf = async (request: Promise<unknown>) => {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RegistryUnavailableError);
  const { reason, message, statusCode, error_description: description } = error as RegistryUnavailableError;
  expect([message, statusCode]).toEqual(['temporarily_unavailable', 503]);
  expect(`${reason}${description}`).not.toContain(TOKEN);
  expect(reason).not.toContain('\n');
  return reason;
};

const answering =
  (status: number, headers: OutgoingHttpHeaders, body = ''): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
const json = (body: unknown) =>
  answering(200, { 'content-type': 'application/json', etag: '"7"' }, JSON.stringify(body));
const problem = (status: number, headers: OutgoingHttpHeaders = {}) =>
  answering(status, { 'content-type': 'application/problem+json', ...headers }, '{"detail":"no"}');
const never: Answer = () => undefined;

const read = (clientId = 'shop') => api.readClient(clientId, undefined);

test('a Client is returned with its ETag and size; the token is only in the header', async () => {
  await serve(json(SHOP));
  expect(await read()).toEqual({
    kind: 'client',
    client: SHOP,
    etag: '"7"',
    bytes: JSON.stringify(SHOP).length,
  });
  expect(registry.requests).toEqual([`GET /client/shop Bearer ${TOKEN}`]);
});

test('an unchanged Client is not sent again', async () => {
  await serve((request, response) => {
    response.writeHead(request.headers['if-none-match'] === '"7"' ? 304 : 500).end();
  });
  expect(await api.readClient('shop', '"7"')).toEqual({ kind: 'unchanged' });
});

test('a missing Client is not an error', async () => {
  await serve(problem(404));
  expect(await read()).toEqual({ kind: 'none' });
});

test.each(['features', '.', '..', '', 'ä', 'a\nb', 'x'.repeat(256)])(
  'an invalid client_id (%j) is not requested',
  async (clientId) => {
    await serve(json(SHOP));
    expect(await read(clientId)).toEqual({ kind: 'none' });
    expect(registry.requests).toEqual([]);
  },
);

test('a client_id is one path segment, whatever its characters', async () => {
  await serve(problem(404));
  await read('a/b ?#%');
  expect(registry.requests).toEqual([`GET /client/a%2Fb%20%3F%23%25 Bearer ${TOKEN}`]);
});

test.each<[string, Answer, RegExp]>([
  [
    'an invalid token',
    problem(401),
    /returned 401: the token is unknown, expired or revoked; use a valid one$/,
  ],
  [
    'a missing scope',
    problem(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="clients:read"' }),
    /returned 403: the token lacks the scope clients:read; use one that has it$/,
  ],
  ['too many requests', problem(429), /returned 429: too many requests/],
  [
    'an unavailable database',
    problem(503),
    /returned 503: the registry or its database is busy or unavailable$/,
  ],
  [
    'a proxy that does not reach the registry',
    answering(502, { 'content-type': 'text/html' }),
    /returned 502: the registry or its database is busy or unavailable$/,
  ],
  [
    'an address that may not use the registry',
    problem(403),
    /returned 403: the registry or a proxy keeps this caller out; see ADMIN_ALLOWED_ZONES of the registry$/,
  ],
  ['a page not found', answering(404, { 'content-type': 'text/html' }), /returned 404: not a registry/],
  ['a redirect', answering(302, { location: 'https://elsewhere.example/' }), /returned 302: not a registry/],
  ['another Client', json({ ...SHOP, client_id: 'portal' }), /returned 200: not a registry/],
  ['not JSON', answering(200, { 'content-type': 'application/json' }, '{'), /returned 200: not a registry/],
  ['an unsolicited 304', answering(304, {}), /returned 304: not a registry/],
])('%s is not a response about a Client', async (_case, answer, reason) => {
  await serve(answer);
  expect(await reasonOf(read())).toMatch(reason);
});

const report = async () =>
  api.report({ batch_id: 'b', reporter: 'r', from: '2026-11-21', to: '2026-11-21', rows: [] });

test.each([400, 404])('a registry that returns %i to a report never counts it', async (status) => {
  await serve(problem(status));
  expect(await report()).toBe('refused');
});

test.each([400, 404, 502])('%i of something in front of the registry loses no report', async (status) => {
  await serve(answering(status, { 'content-type': 'text/html' }, '<html>'));
  expect(await reasonOf(report())).toContain(`POST /clients/usage returned ${status}`);
});

test.each<[string, Answer]>([
  ['nothing', never],
  ['a header and no body', (_, response) => void response.writeHead(200).write('{')],
])('a server that sends %s times out', async (_case, answer) => {
  await serve(answer, { timeoutMs: 200 });
  expect(await reasonOf(read())).toMatch(/^http:\/\/127\.0\.0\.1:\d+: no complete response within 0\.2 s$/);
});

test('an endless response is cut off', async () => {
  await serve((_, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  });
  expect(await reasonOf(read())).toMatch(/the response is larger than 2097152 bytes$/);
});

test('an unreachable server is reported with its address', async () => {
  await serve(never);
  await registry.stop();
  expect(await reasonOf(read())).toMatch(/^http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
});

test('a request on a stale keep-alive connection is retried', async () => {
  await serve(never);
  const body = JSON.stringify(SHOP);
  let connections = 0;
  // A server that closes each connection just as the next request arrives on it.
  const server = createNetServer((socket) => {
    connections += 1;
    socket.once('data', () => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      socket.once('data', () => socket.resetAndDestroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http.close();
  connect({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  for (let round = 0; round < 3; round += 1) expect(await read()).toMatchObject({ kind: 'client' });
  expect(connections).toBe(3);
  http.close();
  await new Promise((resolve) => server.close(resolve));
});

test('32 requests are sent at a time and 1,000 may be pending; more fail at once', async () => {
  await serve(never);
  const waiting = Array.from({ length: 1_000 }, () => reasonOf(read()));
  expect(await reasonOf(read())).toBe('1000 requests to the registry are already in flight');
  while (registry.requests.length < 32) await sleep(10);
  await sleep(100);
  expect(registry.requests).toHaveLength(32);
  http.close();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([expect.stringMatching(/: closed$/)]));
});

test('once closed, no request is sent', async () => {
  await serve(json(SHOP));
  http.close();
  expect(await reasonOf(read())).toMatch(/: closed$/);
  expect(registry.requests).toEqual([]);
});

test('the token function’s current value is sent; a malformed one is neither sent nor shown', async () => {
  const tokens = ['first', 'second', 'with spaces'];
  await serve(json(SHOP), { token: () => tokens.shift() ?? '' });
  await read();
  await read();
  expect(registry.requests.map((line) => line.split(' ').at(-1))).toEqual(['first', 'second']);
  const reason = await reasonOf(read());
  expect(reason).toMatch(/the token is not a valid bearer token/);
  expect(reason).not.toContain('with spaces');
});

describe('over TLS', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adapter-tls-'));
  });
  afterAll(async () => rm(folder, { recursive: true }));

  test('a registry is trusted only if its CA is configured', async () => {
    const { ca, serverKey, serverCert } = await makeCertificates(folder);
    const [authority, key, cert] = await Promise.all(
      [ca, serverKey, serverCert].map((file) => readFile(file)),
    );
    registry = await startFakeRegistry(json(SHOP), { key: key!, cert: cert! });
    connect();
    expect(await reasonOf(read())).toMatch(/certificate/);
    expect(registry.requests).toEqual([]);
    http.close();
    connect({ ca: authority!.toString() });
    expect(await read()).toMatchObject({ kind: 'client' });
  });
});

describe('a secret', () => {
  test.each([true, false])('is %s according to the registry', async (valid) => {
    await serve(json({ valid }));
    expect(await api.isSecret('a/b', 'a "secret"')).toBe(valid);
    expect(registry.requests).toEqual([`POST /client/a%2Fb/check/secret Bearer ${TOKEN}`]);
    expect(registry.bodies).toEqual(['{"client_secret":"a \\"secret\\""}']);
  });

  test('that is too long is wrong, and not sent', async () => {
    await serve(json({ valid: true }));
    expect(await api.isSecret('shop', 'x'.repeat(1_025))).toBe(false);
    expect(registry.requests).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['says neither', json({})],
    ['says so in a string', json({ valid: 'true' })],
    ['returns 503', problem(503)],
    ['returns 404', problem(404)],
  ])('is neither right nor wrong when the registry %s', async (_case, answer) => {
    await serve(answer);
    expect(await reasonOf(api.isSecret('shop', 'secret'))).toMatch(
      /^POST \/client\/\{client_id\}\/check\/secret returned/,
    );
  });
});
