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

/** Why a request cannot be answered; never with the token in it. */
const reasonOf = async (request: Promise<unknown>) => {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RegistryUnavailableError);
  const { reason, message, statusCode, error_description: told } = error as RegistryUnavailableError;
  expect([message, statusCode]).toEqual(['temporarily_unavailable', 503]);
  expect(`${reason}${told}`).not.toContain(TOKEN);
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

test('a Client comes with its ETag and its size; the token stands in the header alone', async () => {
  await serve(json(SHOP));
  expect(await read()).toEqual({
    kind: 'client',
    client: SHOP,
    etag: '"7"',
    bytes: JSON.stringify(SHOP).length,
  });
  expect(registry.asked).toEqual([`GET /client/shop Bearer ${TOKEN}`]);
});

test('a Client in a state that is at hand is not sent again', async () => {
  await serve((request, response) => {
    response.writeHead(request.headers['if-none-match'] === '"7"' ? 304 : 500).end();
  });
  expect(await api.readClient('shop', '"7"')).toEqual({ kind: 'unchanged' });
});

test('a Client that there is none of is no error', async () => {
  await serve(problem(404));
  expect(await read()).toEqual({ kind: 'none' });
});

test.each(['features', '.', '..', '', 'ä', 'a\nb', 'x'.repeat(256)])(
  'what can be no client_id (%j) is not asked for',
  async (clientId) => {
    await serve(json(SHOP));
    expect(await read(clientId)).toEqual({ kind: 'none' });
    expect(registry.asked).toEqual([]);
  },
);

test('a client_id is one part of the path, whatever it consists of', async () => {
  await serve(problem(404));
  await read('a/b ?#%');
  expect(registry.asked).toEqual([`GET /client/a%2Fb%20%3F%23%25 Bearer ${TOKEN}`]);
});

test.each<[string, Answer, RegExp]>([
  [
    'a token that is not valid',
    problem(401),
    /answers 401: the token is unknown, expired or revoked; give a valid one$/,
  ],
  [
    'a scope that is missing',
    problem(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="clients:read"' }),
    /answers 403: the token lacks the scope clients:read; give one that has it$/,
  ],
  ['too many requests', problem(429), /answers 429: too many requests/],
  ['a database that is away', problem(503), /answers 503: the registry or its database is busy or away$/],
  [
    'a page that is not found',
    answering(404, { 'content-type': 'text/html' }),
    /answers 404: that is no registry/,
  ],
  [
    'a redirect',
    answering(302, { location: 'https://elsewhere.example/' }),
    /answers 302: that is no registry/,
  ],
  ['another Client', json({ ...SHOP, client_id: 'portal' }), /answers 200: that is no registry/],
  [
    'no JSON',
    answering(200, { 'content-type': 'application/json' }, '{'),
    /answers 200: that is no registry/,
  ],
  ['a 304 that nobody asked for', answering(304, {}), /answers 304: that is no registry/],
])('%s is no answer about a Client', async (_case, answer, reason) => {
  await serve(answer);
  expect(await reasonOf(read())).toMatch(reason);
});

test.each<[string, Answer]>([
  ['nothing', never],
  ['a header and no body', (_, response) => void response.writeHead(200).write('{')],
])('who answers with %s is given up in time', async (_case, answer) => {
  await serve(answer, { timeoutMs: 200 });
  expect(await reasonOf(read())).toMatch(/^http:\/\/127\.0\.0\.1:\d+: no whole answer within 0\.2 s$/);
});

test('an answer that never ends is not read to its end', async () => {
  await serve((_, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  });
  expect(await reasonOf(read())).toMatch(/the answer is larger than 2097152 bytes$/);
});

test('nobody there is told with the address', async () => {
  await serve(never);
  await registry.stop();
  expect(await reasonOf(read())).toMatch(/^http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
});

test('a connection that the registry has closed meanwhile says nothing about the registry', async () => {
  await serve(never);
  const body = JSON.stringify(SHOP);
  let connections = 0;
  // A server that closes a connection at the moment in which the next request comes on it.
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

test('of many requests 32 are sent at a time, 1,000 wait at most, and whoever comes then is told at once', async () => {
  await serve(never);
  const waiting = Array.from({ length: 1_000 }, () => reasonOf(read()));
  expect(await reasonOf(read())).toBe('1000 requests to the registry are under way already');
  while (registry.asked.length < 32) await sleep(10);
  await sleep(100);
  expect(registry.asked).toHaveLength(32);
  http.close();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([expect.stringMatching(/: closed$/)]));
});

test('once closed, nothing is asked any more', async () => {
  await serve(json(SHOP));
  http.close();
  expect(await reasonOf(read())).toMatch(/: closed$/);
  expect(registry.asked).toEqual([]);
});

test('a token that is asked for anew is the one that is sent; one that can be none is not sent, and not shown', async () => {
  const tokens = ['first', 'second', 'with spaces'];
  await serve(json(SHOP), { token: () => tokens.shift() ?? '' });
  await read();
  await read();
  expect(registry.asked.map((line) => line.split(' ').at(-1))).toEqual(['first', 'second']);
  const reason = await reasonOf(read());
  expect(reason).toMatch(/the token is no bearer token/);
  expect(reason).not.toContain('with spaces');
});

describe('over TLS', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adapter-tls-'));
  });
  afterAll(async () => rm(folder, { recursive: true }));

  test('a registry is believed when its authority is named, and not without', async () => {
    const { ca, serverKey, serverCert } = await makeCertificates(folder);
    const [authority, key, cert] = await Promise.all(
      [ca, serverKey, serverCert].map((file) => readFile(file)),
    );
    registry = await startFakeRegistry(json(SHOP), { key: key!, cert: cert! });
    connect();
    expect(await reasonOf(read())).toMatch(/certificate/);
    expect(registry.asked).toEqual([]);
    http.close();
    connect({ ca: authority!.toString() });
    expect(await read()).toMatchObject({ kind: 'client' });
  });
});

describe('a secret', () => {
  test.each([true, false])('is %s by what the registry says', async (valid) => {
    await serve(json({ valid }));
    expect(await api.isSecret('a/b', 'a "secret"')).toBe(valid);
    expect(registry.asked).toEqual([`POST /client/a%2Fb/check/secret Bearer ${TOKEN}`]);
    expect(registry.bodies).toEqual(['{"client_secret":"a \\"secret\\""}']);
  });

  test('that is longer than any is wrong, and not sent', async () => {
    await serve(json({ valid: true }));
    expect(await api.isSecret('shop', 'x'.repeat(1_025))).toBe(false);
    expect(registry.asked).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['says neither', json({})],
    ['says it in a text', json({ valid: 'true' })],
    ['answers 503', problem(503)],
    ['answers 404', problem(404)],
  ])('is neither right nor wrong when the registry %s', async (_case, answer) => {
    await serve(answer);
    expect(await reasonOf(api.isSecret('shop', 'secret'))).toMatch(
      /^POST \/client\/\{client_id\}\/check\/secret answers/,
    );
  });
});
