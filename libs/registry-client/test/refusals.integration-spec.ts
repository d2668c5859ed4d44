import { createServer, type AddressInfo } from 'node:net';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '@svc/test-servers';
import { RegistryClient, RegistryError, type RegistryOptions } from '../src/index.js';
import { type FakeServer, startFakeServer } from './fake-registry.js';

const TOKEN = 'a-token-like-no-other-1234567890';
let server: FakeServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const clientOf = (url: string, options: Partial<RegistryOptions> = {}) =>
  new RegistryClient({ url, token: TOKEN, timeoutMs: 2_000, ...options });

/** Returns the error of a failing request, checking that it does not contain the token. */
async function failureOf(request: Promise<unknown>): Promise<RegistryError> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RegistryError);
  expect((error as RegistryError).message).not.toContain(TOKEN);
  expect((error as RegistryError).message).not.toContain('\n');
  return error as RegistryError;
}

function answering(status: number, headers: OutgoingHttpHeaders, body: string) {
  return (_: IncomingMessage, response: ServerResponse) => void response.writeHead(status, headers).end(body);
}

/** What is not of the registry: of a proxy, or another website. */
const webPage = (status: number) => answering(status, { 'content-type': 'text/html' }, '<html>');

const problem = (status: number, document: object, headers: OutgoingHttpHeaders = {}) =>
  answering(
    status,
    { 'content-type': 'application/problem+json; charset=utf-8', ...headers },
    JSON.stringify(document),
  );

test.each([
  [
    'an invalid token',
    problem(401, { detail: 'no' }),
    'token_rejected',
    'the registry rejected the token (401): it is unknown, expired or revoked; set registry.token to a valid one',
  ],
  [
    'a missing scope',
    problem(
      403,
      { detail: 'no' },
      { 'www-authenticate': 'Bearer error="insufficient_scope", scope="clients:read"' },
    ),
    'token_rejected',
    'the token lacks the scope clients:read (403); set registry.token to one that has it',
  ],
  [
    'an address that may not use the registry',
    problem(403, { detail: 'The admin API cannot be used from 192.0.2.1.' }),
    'token_rejected',
    'the registry does not allow this (403): The admin API cannot be used from 192.0.2.1.',
  ],
  [
    'a proxy that keeps callers out',
    webPage(403),
    'token_rejected',
    'the registry, or a proxy in front of it, does not allow this (403)',
  ],
  ['a missing Client', problem(404, { detail: 'no' }), 'not_found', "the registry has no client 'shop'"],
  [
    'a conflict',
    problem(409, { detail: 'It is taken.' }),
    'conflict',
    'the registry returned 409: It is taken.',
  ],
  [
    'an outdated ETag',
    problem(412, { detail: 'no' }),
    'changed',
    'the client has changed in the meantime (412), so nothing was changed; review it and run the command again',
  ],
  [
    'too many requests',
    problem(429, { detail: 'Too many requests.' }, { 'retry-after': '7' }),
    'unreachable',
    'the registry is rate-limiting requests (429): Too many requests; try again in 7 s',
  ],
  [
    'an unavailable database',
    problem(503, { detail: 'The database is unavailable.' }, { 'retry-after': '5' }),
    'unreachable',
    'the registry is temporarily unavailable (503): The database is unavailable; try again in 5 s',
  ],
  [
    'a proxy whose registry is down',
    webPage(503),
    'unreachable',
    'the registry is temporarily unavailable (503); try again later',
  ],
  [
    'a proxy that does not reach the registry',
    webPage(502),
    'unreachable',
    'a proxy in front of the registry cannot reach it (502); try again later',
  ],
  [
    'a proxy that waits too long for the registry',
    webPage(504),
    'unreachable',
    'a proxy in front of the registry did not wait for its response (504); try again later',
  ],
  [
    'a proxy that refuses the size of a request',
    webPage(413),
    'invalid',
    'a proxy in front of the registry rejects a request of this size (413); raise its limit, which nginx calls client_max_body_size',
  ],
  [
    'an internal error',
    problem(500, { detail: 'Internal.' }, { 'x-request-id': 'r1' }),
    'failed',
    'the registry returned 500: Internal.; see its log for request r1',
  ],
  [
    'a server that echoes the token',
    problem(400, { detail: `what is ${TOKEN}?` }),
    'invalid',
    'the registry returned 400: what is ********?',
  ],
])('%s', async (_case, answer, failure, message) => {
  server = await startFakeServer(answer);
  expect(await failureOf(clientOf(server.url).get('shop'))).toMatchObject({ failure, message });
});

test.each([
  ['a web page', webPage(200), 200, 'text/html'],
  [
    'JSON of another kind',
    answering(200, { 'content-type': 'application/json' }, '[]'),
    200,
    'application/json',
  ],
  ['truncated JSON', answering(200, { 'content-type': 'application/json' }, '{"a"'), 200, 'application/json'],
  ['another service', problem(404, { detail: 'Nothing here.' }), 404, 'application/problem+json'],
  ['a response without a type', answering(404, {}, ''), 404, 'no type'],
])('%s is not a registry', async (_case, answer, status, type) => {
  server = await startFakeServer(answer);
  expect(await failureOf(clientOf(`${server.url}/base`).features())).toMatchObject({
    failure: 'not_a_registry',
    message: `${server.url}/base/ is not the address of a registry: GET /client/features returned ${status} with ${type}; set registry.url`,
  });
});

test('a redirect is not followed, so that the token is not sent elsewhere', async () => {
  const other = await startFakeServer(answering(200, {}, '{}'));
  server = await startFakeServer(answering(308, { location: `${other.url}/client/features` }, ''));
  const { failure, message } = await failureOf(clientOf(server.url).features());
  await other.stop();
  expect([failure, message]).toEqual([
    'not_a_registry',
    `${server.url} redirects elsewhere (308); set registry.url to the final address`,
  ]);
  expect(other.requests).toEqual([]);
});

test('the violations of a rejected import are passed on', async () => {
  const errors = [{ field: '/lines/2/client_name', code: 'required', message: 'client_name is required' }];
  server = await startFakeServer(problem(400, { detail: 'no', errors: [...errors, { field: 7 }] }));
  const refused = clientOf(server.url).import(['{}'], { dryRun: true, prune: false });
  expect(await failureOf(refused)).toMatchObject({ failure: 'invalid', violations: errors });
  expect(server.requests).toEqual([`POST /clients/import?dry_run=true&prune=false Bearer ${TOKEN}`]);
});

describe('a connection', () => {
  test('that is rejected', async () => {
    const free = await startFakeServer(() => undefined);
    await free.stop();
    expect(await failureOf(clientOf(free.url).features())).toMatchObject({
      failure: 'unreachable',
      message: `cannot reach the registry at ${free.url} (ECONNREFUSED); is it running, and is registry.url correct?`,
    });
  });

  test('that stays idle', async () => {
    server = await startFakeServer(() => undefined);
    const { failure, message } = await failureOf(clientOf(server.url, { timeoutMs: 100 }).features());
    expect([failure, message]).toEqual([
      'unreachable',
      expect.stringContaining(`cannot reach the registry at ${server.url} (no response within 0.1 s)`),
    ]);
  });

  test('that ends within the response', async () => {
    server = await startFakeServer((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{');
      setTimeout(() => response.socket?.destroy(), 50);
    });
    expect(await failureOf(clientOf(server.url).features())).toMatchObject({ failure: 'unreachable' });
  });

  test('that ends after a change was sent leaves its outcome unknown', async () => {
    server = await startFakeServer((_, response) => void response.socket?.destroy());
    const { message } = await failureOf(clientOf(server.url).rotateSecret('shop', undefined));
    expect(message).toMatch(/the change may or may not have been made: check before you try again$/);
  });

  test.each([
    [502, 'cannot reach it'],
    [504, 'did not wait for its response'],
  ])('that a proxy loses with %i leaves the outcome of a change unknown', async (status, reason) => {
    server = await startFakeServer(webPage(status));
    const client = clientOf(server.url);
    const place = 'a proxy in front of the registry';
    expect(await failureOf(client.import(['{}'], { dryRun: false, prune: false }))).toMatchObject({
      failure: 'unreachable',
      message: `${place} ${reason} (${status}); the change may or may not have been made: check before you try again`,
    });
    expect((await failureOf(client.import(['{}'], { dryRun: true, prune: false }))).message).toBe(
      `${place} ${reason} (${status}); try again later`,
    );
  });

  test('with something that does not speak HTTP', async () => {
    const raw = createServer((socket) => void socket.end('220 mail\r\n'));
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    const { port } = raw.address() as AddressInfo;
    const { message } = await failureOf(clientOf(`http://127.0.0.1:${port}`).features());
    raw.close();
    expect(message).toMatch(/not an HTTP server \(HPE_\w+\)/);
  });

  test('can be aborted', async () => {
    server = await startFakeServer(() => undefined);
    const controller = new AbortController();
    const request = clientOf(server.url, { signal: controller.signal }).features();
    setTimeout(() => controller.abort(), 50);
    await expect(request).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each([
    [
      'a change',
      false,
      'interrupted before the registry responded; the change may or may not have been made',
    ],
    ['a dry run', true, 'This operation was aborted'],
  ])(
    'that is aborted during %s reports an unknown outcome where there is one',
    async (_case, dryRun, message) => {
      const controller = new AbortController();
      server = await startFakeServer(() => setTimeout(() => controller.abort(), 50));
      const { signal } = controller;
      const request = clientOf(server.url, { signal }).import(['{}'], { dryRun, prune: false });
      await expect(request).rejects.toThrow(message);
    },
  );
});

test('an endless response is cut off', async () => {
  server = await startFakeServer((_, response) => {
    const chunk = Buffer.alloc(1_048_576, 0x20);
    const more = (): void => void (response.destroyed || response.write(chunk, () => setImmediate(more)));
    response.writeHead(200, { 'content-type': 'application/json' });
    more();
  });
  expect((await failureOf(clientOf(server.url).features())).message).toBe(
    "the registry's response is larger than 32 MiB; ask for less",
  );
});

describe('TLS', () => {
  let folder: string;
  let certificates: Awaited<ReturnType<typeof makeCertificates>>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-tls-'));
    certificates = await makeCertificates(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  beforeEach(async () => {
    const { serverKey, serverCert } = certificates;
    server = await startFakeServer(answering(200, { 'content-type': 'application/json' }, '{"fields":[]}'), {
      key: readFileSync(serverKey),
      cert: readFileSync(serverCert),
    });
  });

  test('a custom CA is trusted if configured', async () => {
    const ca = readFileSync(certificates.ca, 'utf8');
    expect(await clientOf(server!.url, { ca }).features()).toEqual({ fields: [] });
  });

  test('otherwise it is not trusted, and gets no token', async () => {
    expect((await failureOf(clientOf(server!.url).features())).message).toMatch(
      /: the certificate is not trusted \(\w+\); add its CA to registry\.ca$/,
    );
    expect(server!.requests).toEqual([]);
  });

  test('a certificate for another name is rejected', async () => {
    const ca = readFileSync(certificates.ca, 'utf8');
    const other = clientOf(server!.url.replace('127.0.0.1', '127.0.0.2'), { ca });
    expect((await failureOf(other.features())).failure).toBe('unreachable');
    expect(server!.requests).toEqual([]);
  });

  test('https to an http port is explained', async () => {
    const plain = await startFakeServer(answering(200, {}, '{}'));
    const { message } = await failureOf(clientOf(plain.url.replace('http:', 'https:')).features());
    await plain.stop();
    expect(message).toMatch(/should registry\.url be http instead of https\?$/);
  });
});
