import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BODY_TIMEOUT_MS } from '../src/http/body-timeouts.js';
import { heldRequests, startSample } from './sample-service.js';

type Sample = Awaited<ReturnType<typeof startSample>>;

let service: Sample | undefined;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await service?.close();
  service = undefined;
});

const start = async (options: Parameters<typeof startSample>[0] = {}): Promise<string> => {
  service = await startSample(options);
  return service.url;
};

/** What one caller has sent and got. */
interface Caller {
  readonly socket: Socket;
  readonly answer: () => string;
}

/** Sends the header of a request that announces a JSON body, and its first byte. */
function sendHalf(url: string, request: string, token = ''): Caller {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  const credentials = token && `Authorization: Bearer ${token}\r\n`;
  const type = 'Content-Type: application/json\r\nContent-Length: 12\r\n';
  socket.write(`${request} HTTP/1.1\r\nHost: a\r\n${credentials}${type}\r\n{`);
  return { socket, answer: () => answer };
}

async function sendHalves(url: string, count: number, request: string, token = ''): Promise<Caller[]> {
  const callers = Array.from({ length: count }, () => sendHalf(url, request, token));
  await sleep(300);
  return callers;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}

test.each([
  ['an unknown path', 'POST /nowhere', 404],
  ['a path below the health probes', 'POST /health/x', 404],
  ['a health probe', 'POST /health/live', 405],
  ['a path that is known under another method', 'DELETE /sample/me', 405],
])('100 on %s are answered at once, and the connections closed', async (_case, request, status) => {
  const url = await start();
  const began = performance.now();
  const callers = await sendHalves(url, 100, request);
  expect((await fetch(`${url}/sample/open`)).status).toBe(200);
  await until(() => callers.every(({ socket }) => socket.readableEnded));
  expect(performance.now() - began).toBeLessThan(BODY_TIMEOUT_MS);
  for (const { answer } of callers)
    expect(answer()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*connection: close`));
});

test('requests for unknown paths count towards the rate of an address', async () => {
  const perAddress = { count: 3, perMs: 60_000 };
  const url = await start({ rateLimits: { perToken: null, perAddress } });
  const callers = await sendHalves(url, 3, 'POST /health/x');
  await until(() => callers.every(({ answer }) => answer() !== ''));
  expect((await fetch(`${url}/sample/open`)).status).toBe(429);
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
});

test.each([
  ['with a token', 'POST /sample', 'writer'],
  ['on a public route', 'POST /sample/search', ''],
])('many %s do not lock out others: beyond a share, the oldest makes room', async (_case, request, token) => {
  const url = await start();
  const [first, , third] = await sendHalves(url, 76, request, token);
  expect((await fetch(`${url}/sample/open`)).status).toBe(200);
  await until(() => first?.socket.readableEnded === true);
  expect(first?.answer()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1/);
  expect(first?.answer()).toContain(
    'Too many requests are in progress, and the body of this one has not arrived; try again shortly.',
  );
  third?.socket.write('"amount":1}');
  await until(() => third?.answer() !== '');
  expect(third?.answer()).toMatch(/^HTTP\/1\.1 201 /);
});

test('complete requests are not evicted', async () => {
  const url = await start({ maxInFlight: 2 });
  const arrived = [fetch(`${url}/sample/held`), fetch(`${url}/sample/held`)];
  await heldRequests.arrived(2);
  expect((await fetch(`${url}/sample/open`)).status).toBe(503);
  heldRequests.release();
  expect((await Promise.all(arrived)).map(({ status }) => status)).toEqual([200, 200]);
});

test('refused requests are no longer counted', async () => {
  const url = await start({ maxInFlight: 1 });
  for (let round = 0; round < 5; round += 1) await sendHalves(url, 2, 'POST /sample', 'writer');
  expect((await fetch(`${url}/sample/open`)).status).toBe(200);
  const underWay = fetch(`${url}/sample/held`);
  await heldRequests.arrived(1);
  expect((await fetch(`${url}/sample/open`)).status).toBe(503);
  heldRequests.release();
  expect((await underWay).status).toBe(200);
});

test('a body that does not arrive gets 408 after its timeout; if the request was answered already, the connection is closed', async () => {
  const timeoutMs = 3_000;
  const url = await start({ bodyTimeoutMs: timeoutMs });
  const began = performance.now();
  const [wanted] = await sendHalves(url, 1, 'POST /sample', 'writer');
  const [refused] = await sendHalves(url, 1, 'POST /sample', 'wrong');
  await until(() => refused?.answer() !== '');
  expect(wanted?.answer()).toBe('');
  expect(refused?.answer()).toMatch(/^HTTP\/1\.1 401 /);
  expect(refused?.socket.closed).toBe(false);
  await until(() => wanted?.socket.closed === true && refused?.socket.closed === true);
  expect(performance.now() - began).toBeGreaterThan(timeoutMs);
  expect(wanted?.answer()).toMatch(/^HTTP\/1\.1 408 [^]*The body arrived too slowly\./);
});

test('a body may take 15 s', () => {
  expect(BODY_TIMEOUT_MS).toBe(15_000);
});
