import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '@svc/test-servers';
import { DestinationPolicy, type Resolve } from '@svc/service-kit/destinations';
import { probeCookieWebhook, type ProbeOptions } from '../../src/cookie-webhook/probe-cookie-webhook.js';

const NAMES = { cookieName: 'SvcClient_ABC', cookiePrefix: 'SvcClient' };
const LOOPBACK = new DestinationPolicy(['127.0.0.0/8', '::1']);

let server: Server | undefined;
/** Connections and requests the server has seen. */
let seen = { connections: 0, requests: 0 };

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  if (server) await once(server, 'close');
  server = undefined;
  seen = { connections: 0, requests: 0 };
});

test('sends a JSON PUT with a sample user and reports the cookies', async () => {
  const received: { method?: string | undefined; type?: string | undefined; body: unknown }[] = [];
  const port = await listen(async (request, response) => {
    const { method, headers } = request;
    received.push({ method, type: headers['content-type'], body: JSON.parse(await textOf(request)) });
    response.setHeader('content-type', 'application/json').end('{"theme":"dark"}');
  });
  const report = await probe(`http://127.0.0.1:${port}/hook?a=b`);
  expect(report).toEqual({
    ok: true,
    status: 200,
    duration_ms: expect.any(Number),
    cookies: { theme: 'dark' },
    problems: [],
  });
  expect(received).toEqual([
    { method: 'PUT', type: 'application/json', body: expect.objectContaining({ sub: 'sample-user' }) },
  ]);
});

test('sends the given claims instead of the sample', async () => {
  let body: unknown;
  const port = await listen(async (request, response) => {
    body = JSON.parse(await textOf(request));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await probe(`http://127.0.0.1:${port}/`, {}, { sub: 'me', tenant: 'default' });
  expect(body).toMatchObject({ sub: 'me', tenant: 'default', email: 'sample.user@example.com' });
});

test('reports a cookie that would break into the header, and the session cookie', async () => {
  const cookies = { theme: 'dark\r\nSet-Cookie: admin=1', SvcClient_ABC: 'stolen' };
  const port = await listen(json(JSON.stringify(cookies)));
  const { ok, problems } = await probe(`http://127.0.0.1:${port}/`);
  expect(ok).toBe(false);
  expect(problems.map(({ field, code }) => [field, code])).toEqual([
    ['/theme', 'cookie_value'],
    ['/SvcClient_ABC', 'session_cookie'],
  ]);
});

test('a loopback server that is not allowed sees no connection', async () => {
  const port = await listen(json('{}'));
  const policy = new DestinationPolicy();
  const hosts = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '0.0.0.0'];
  for (const host of hosts) {
    const report = await probe(`http://${host}:${port}/`, { policy });
    expect([host, report.problems.map(({ code }) => code)]).toEqual([host, ['address_refused']]);
  }
  expect(seen.connections).toBe(0);
});

test('the response for a rejected address names its kind and the remedy, not the address', async () => {
  const { problems } = await probe('http://inside.example/', {
    policy: new DestinationPolicy([], 'COOKIE_WEBHOOK_ALLOW'),
    resolve: resolvesTo(['10.1.2.3']),
  });
  expect(problems[0]?.message).toBe(
    'the host is at a private address, not a public one; the operator can allow it by COOKIE_WEBHOOK_ALLOW',
  );
});

test('a name that changes to a forbidden address gains nothing', async () => {
  const port = await listen(json('{}'));
  const policy = new DestinationPolicy(['127.0.0.1']);
  let asked = 0;
  const resolve: Resolve = (hostname, options, callback) => {
    asked += 1;
    resolvesTo([`127.0.0.${asked}`])(hostname, options, callback);
  };
  const before = await probe(`http://rebind.example:${port}/`, { policy, resolve });
  // One look-up decides and connects.
  expect([before.ok, asked]).toEqual([true, 1]);
  const after = await probe(`http://rebind.example:${port}/`, { policy, resolve });
  expect(after.problems.map(({ code }) => code)).toEqual(['address_refused']);
  expect(seen.connections).toBe(1);
});

test('of a name’s public and private addresses only the permitted one is called', async () => {
  const port = await listen(json('{}'));
  const resolve = resolvesTo(['10.0.0.1', '127.0.0.1']);
  const report = await probe(`http://mixed.example:${port}/`, { resolve });
  expect(report.ok).toBe(true);
});

test('a name on the allow-list may have any address', async () => {
  const port = await listen(json('{}'));
  const policy = new DestinationPolicy(['portal.internal']);
  const resolve = resolvesTo(['127.0.0.1']);
  expect((await probe(`http://portal.internal:${port}/`, { policy, resolve })).ok).toBe(true);
  const other = await probe(`http://other.internal:${port}/`, { policy, resolve });
  expect(other.problems.map(({ code }) => code)).toEqual(['address_refused']);
});

test('follows no redirect', async () => {
  const port = await listen((_request, response) => {
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const report = await probe(`http://127.0.0.1:${port}/`);
  expect(report).toMatchObject({ ok: false, status: 307, problems: [{ code: 'redirect' }] });
  expect(seen.requests).toBe(1);
});

test.each<[string, RequestListener]>([
  ['says nothing', () => undefined],
  ['sends a header and then nothing', (_request, response) => response.writeHead(200).flushHeaders()],
  [
    'sends a byte at a time for ever',
    (_request, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
])('a server that %s is left after the time-out', async (_conduct, listener) => {
  const port = await listen(listener);
  const limits = { timeoutMs: 200, maxBytes: 65_536 };
  const report = await probe(`http://127.0.0.1:${port}/`, { limits });
  expect(report.problems).toEqual([
    { field: '', code: 'timeout', message: 'no complete response within 200 ms' },
  ]);
  await closedByPeer();
});

test('a silent name server counts towards the timeout', async () => {
  const limits = { timeoutMs: 100, maxBytes: 65_536 };
  const report = await probe('http://silent.example/', { limits, resolve: () => undefined });
  expect(report.problems.map(({ code }) => code)).toEqual(['timeout']);
});

test('a response may have 64 KiB and no byte more', async () => {
  const padded = (size: number) => `{}${' '.repeat(size - 2)}`;
  const within = await listen(json(padded(65_536)));
  expect((await probe(`http://127.0.0.1:${within}/`)).ok).toBe(true);
  server?.close();
  const beyond = await listen(json(padded(65_537)));
  const report = await probe(`http://127.0.0.1:${beyond}/`);
  expect(report.problems.map(({ code }) => code)).toEqual(['too_large']);
});

test('an endless response is abandoned once it is too large', async () => {
  const port = await listen((_request, response) => {
    const chunk = Buffer.alloc(16_384, ' ');
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  const report = await probe(`http://127.0.0.1:${port}/`);
  expect(report.problems.map(({ code }) => code)).toEqual(['too_large']);
  await closedByPeer();
});

test('a compressed response is rejected unread', async () => {
  const port = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x');
  });
  const report = await probe(`http://127.0.0.1:${port}/`);
  expect(report.problems.map(({ code }) => code)).toEqual(['encoding']);
});

test('a broken response and a closed port are distinguished from our own errors', async () => {
  const port = await listen((request) => request.socket.end('nonsense\r\n\r\n'));
  const broken = await probe(`http://127.0.0.1:${port}/`);
  expect(broken.problems[0]).toMatchObject({ code: 'unreachable', message: expect.stringMatching(/HPE_/) });
  server?.close();
  const closed = await probe(`http://127.0.0.1:${port}/`);
  expect(closed.problems[0]).toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/ECONNREFUSED/),
  });
});

test('a truncated response is unreachable, not empty', async () => {
  const port = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{}');
    setImmediate(() => response.destroy());
  });
  const report = await probe(`http://127.0.0.1:${port}/`);
  expect(report.problems.map(({ code }) => code)).toEqual(['unreachable']);
});

test('an untrusted certificate is rejected', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-'));
  const { serverCert, serverKey } = await makeCertificates(folder);
  const [cert, key] = await Promise.all([readFile(serverCert), readFile(serverKey)]);
  await rm(folder, { recursive: true });
  const port = await started(createTlsServer({ cert, key }, json('{}')));
  const report = await probe(`https://127.0.0.1:${port}/`);
  expect(report.problems[0]).toMatchObject({ code: 'unreachable' });
  expect(seen.requests).toBe(0);
});

test.each([
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://user:pass@127.0.0.1/',
  'nothing',
])('%s is not called', async (uri) => {
  const report = await probe(uri);
  expect(report.problems.map(({ code }) => code)).toEqual(['uri']);
});

async function probe(uri: string, options: Partial<ProbeOptions> = {}, user?: Record<string, unknown>) {
  return probeCookieWebhook({ ...NAMES, uri, user }, { policy: LOOPBACK, ...options });
}

function resolvesTo(addresses: readonly string[]): Resolve {
  return (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
}

function json(body: string): RequestListener {
  return (request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end(body);
  };
}

async function listen(listener: (...exchange: Parameters<RequestListener>) => unknown): Promise<number> {
  return started(createServer((request, response) => void listener(request, response)));
}

async function started(made: Server): Promise<number> {
  server = made;
  made.on('connection', () => (seen.connections += 1)).on('request', () => (seen.requests += 1));
  made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  return (made.address() as AddressInfo).port;
}

/** Every connection of the server is gone without its doing. */
async function closedByPeer(): Promise<void> {
  server?.close();
  if (server) await once(server, 'close');
  server = undefined;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
