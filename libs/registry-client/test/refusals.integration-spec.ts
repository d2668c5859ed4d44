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

/** The error that a request ends with; never one that shows the token. */
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

const problem = (status: number, document: object, headers: OutgoingHttpHeaders = {}) =>
  answering(
    status,
    { 'content-type': 'application/problem+json; charset=utf-8', ...headers },
    JSON.stringify(document),
  );

test.each([
  [
    'a token that is not valid',
    problem(401, { detail: 'no' }),
    'refused_token',
    'the registry refuses the token (401): it is unknown, expired or revoked; set registry.token to a valid one',
  ],
  [
    'a scope that is missing',
    problem(
      403,
      { detail: 'no' },
      { 'www-authenticate': 'Bearer error="insufficient_scope", scope="clients:read"' },
    ),
    'refused_token',
    'the token lacks the scope clients:read (403); set registry.token to one that has it',
  ],
  [
    'a Client that is not there',
    problem(404, { detail: 'no' }),
    'not_found',
    "the registry has no Client 'shop'",
  ],
  [
    'a conflict',
    problem(409, { detail: 'It is taken.' }),
    'conflict',
    'the registry answers 409: It is taken.',
  ],
  [
    'a state that is a former one',
    problem(412, { detail: 'no' }),
    'changed',
    'the Client has changed in the meantime (412), so nothing was done; review it and run the command again',
  ],
  [
    'too many requests',
    problem(429, { detail: 'Too many requests.' }, { 'retry-after': '7' }),
    'unreachable',
    'the registry asks to slow down (429): Too many requests; try again in 7 s',
  ],
  [
    'a database that is away',
    problem(503, { detail: 'The database is away.' }, { 'retry-after': '5' }),
    'unreachable',
    'the registry cannot answer now (503): The database is away; try again in 5 s',
  ],
  [
    'a proxy whose registry is away',
    answering(503, { 'content-type': 'text/html' }, '<html>'),
    'unreachable',
    'the registry cannot answer now (503); try again later',
  ],
  [
    "the registry's own fault",
    problem(500, { detail: 'Internal.' }, { 'x-request-id': 'r1' }),
    'failed',
    'the registry answers 500: Internal.; see its log for request r1',
  ],
  [
    'a server that echoes the token',
    problem(400, { detail: `what is ${TOKEN}?` }),
    'invalid',
    'the registry answers 400: what is ********?',
  ],
])('%s', async (_case, answer, failure, message) => {
  server = await startFakeServer(answer);
  expect(await failureOf(clientOf(server.url).get('shop'))).toMatchObject({ failure, message });
});

test.each([
  ['a page for people', answering(200, { 'content-type': 'text/html' }, '<html>'), 200, 'text/html'],
  [
    'JSON of another kind',
    answering(200, { 'content-type': 'application/json' }, '[]'),
    200,
    'application/json',
  ],
  [
    'JSON that is cut off',
    answering(200, { 'content-type': 'application/json' }, '{"a"'),
    200,
    'application/json',
  ],
  ['another service', problem(404, { detail: 'Nothing here.' }), 404, 'application/problem+json'],
  ['an answer of no type', answering(404, {}, ''), 404, 'no type'],
])('%s is no registry', async (_case, answer, status, type) => {
  server = await startFakeServer(answer);
  expect(await failureOf(clientOf(`${server.url}/base`).features())).toMatchObject({
    failure: 'foreign',
    message: `${server.url}/base/ is not the address of a registry: GET /client/features answers ${status} with ${type}; set registry.url`,
  });
});

test('a redirect is not followed, so that the token goes nowhere else', async () => {
  const other = await startFakeServer(answering(200, {}, '{}'));
  server = await startFakeServer(answering(308, { location: `${other.url}/client/features` }, ''));
  const { failure, message } = await failureOf(clientOf(server.url).features());
  await other.stop();
  expect([failure, message]).toEqual([
    'foreign',
    `${server.url} redirects elsewhere (308); set registry.url to the final address`,
  ]);
  expect(other.asked).toEqual([]);
});

test('the violations of a refused import are handed on', async () => {
  const errors = [{ field: '/lines/2/client_name', code: 'required', message: 'client_name is required' }];
  server = await startFakeServer(problem(400, { detail: 'no', errors: [...errors, { field: 7 }] }));
  const refused = clientOf(server.url).import(['{}'], { dryRun: true, prune: false });
  expect(await failureOf(refused)).toMatchObject({ failure: 'invalid', violations: errors });
  expect(server.asked).toEqual([`POST /clients/import?dry_run=true&prune=false Bearer ${TOKEN}`]);
});

describe('a connection', () => {
  test('that nobody takes', async () => {
    const free = await startFakeServer(() => undefined);
    await free.stop();
    expect(await failureOf(clientOf(free.url).features())).toMatchObject({
      failure: 'unreachable',
      message: `cannot reach the registry at ${free.url} (ECONNREFUSED); is it running, and is registry.url right?`,
    });
  });

  test('on which nothing comes', async () => {
    server = await startFakeServer(() => undefined);
    const { failure, message } = await failureOf(clientOf(server.url, { timeoutMs: 100 }).features());
    expect([failure, message]).toEqual([
      'unreachable',
      expect.stringContaining(`cannot reach the registry at ${server.url} (no answer within 0.1 s)`),
    ]);
  });

  test('that ends within the answer', async () => {
    server = await startFakeServer((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{');
      setTimeout(() => response.socket?.destroy(), 50);
    });
    expect(await failureOf(clientOf(server.url).features())).toMatchObject({ failure: 'unreachable' });
  });

  test('that ends after a change was sent leaves it open whether it was made', async () => {
    server = await startFakeServer((_, response) => void response.socket?.destroy());
    const { message } = await failureOf(clientOf(server.url).rotateSecret('shop', undefined));
    expect(message).toMatch(/whether the change was made is not known: look before you try again$/);
  });

  test('with something that does not speak HTTP', async () => {
    const raw = createServer((socket) => void socket.end('220 mail\r\n'));
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    const { port } = raw.address() as AddressInfo;
    const { message } = await failureOf(clientOf(`http://127.0.0.1:${port}`).features());
    raw.close();
    expect(message).toMatch(/what answers does not speak HTTP \(HPE_\w+\)/);
  });

  test('is given up when that is asked for', async () => {
    server = await startFakeServer(() => undefined);
    const controller = new AbortController();
    const asked = clientOf(server.url, { signal: controller.signal }).features();
    setTimeout(() => controller.abort(), 50);
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each([
    [
      'a change',
      false,
      'interrupted before the registry had answered; whether the change was made is not known',
    ],
    ['a dry run', true, 'This operation was aborted'],
  ])('that is given up within %s tells the doubt, if there is one', async (_case, dryRun, message) => {
    const controller = new AbortController();
    server = await startFakeServer(() => setTimeout(() => controller.abort(), 50));
    const { signal } = controller;
    const asked = clientOf(server.url, { signal }).import(['{}'], { dryRun, prune: false });
    await expect(asked).rejects.toThrow(message);
  });
});

test('an answer without end is not taken', async () => {
  server = await startFakeServer((_, response) => {
    const chunk = Buffer.alloc(1_048_576, 0x20);
    const more = (): void => void (response.destroyed || response.write(chunk, () => setImmediate(more)));
    response.writeHead(200, { 'content-type': 'application/json' });
    more();
  });
  expect((await failureOf(clientOf(server.url).features())).message).toBe(
    'the answer of the registry is larger than 32 MiB; ask for less',
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

  test('an authority of one’s own is trusted when it is named', async () => {
    const ca = readFileSync(certificates.ca, 'utf8');
    expect(await clientOf(server!.url, { ca }).features()).toEqual({ fields: [] });
  });

  test('it is not trusted otherwise, and gets no token', async () => {
    expect((await failureOf(clientOf(server!.url).features())).message).toMatch(
      /: the certificate is not trusted \(\w+\); name its authority in registry\.ca$/,
    );
    expect(server!.asked).toEqual([]);
  });

  test('a certificate for another name is refused', async () => {
    const ca = readFileSync(certificates.ca, 'utf8');
    const other = clientOf(server!.url.replace('127.0.0.1', '127.0.0.2'), { ca });
    expect((await failureOf(other.features())).failure).toBe('unreachable');
    expect(server!.asked).toEqual([]);
  });

  test('https to a port that speaks http says so', async () => {
    const plain = await startFakeServer(answering(200, {}, '{}'));
    const { message } = await failureOf(clientOf(plain.url.replace('http:', 'https:')).features());
    await plain.stop();
    expect(message).toMatch(/does registry\.url want http instead of https\?$/);
  });
});
