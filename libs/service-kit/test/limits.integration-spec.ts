import type { Server } from 'node:http';
import { connect } from 'node:net';
import { startSample } from './sample-service.js';

type Sample = Awaited<ReturnType<typeof startSample>>;

const SECOND = 1_000;
const reader = { authorization: 'Bearer reader' };

let service: Sample | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const start = async (options: Parameters<typeof startSample>[0] = {}): Promise<string> => {
  service = await startSample(options);
  return service.url;
};

const statusesOf = async (url: string, count: number, headers: Record<string, string> = {}) =>
  (await Promise.all(Array.from({ length: count }, () => fetch(url, { headers })))).map(
    ({ status }) => status,
  );

/** Milliseconds until the fastest of five answers: on a busy machine any one may take long. */
async function fastestTime(url: string, headers: Record<string, string>, status: number): Promise<number> {
  const times: number[] = [];
  while (times.length < 5) {
    const asked = performance.now();
    expect((await fetch(url, { headers })).status).toBe(status);
    times.push(performance.now() - asked);
  }
  return Math.min(...times);
}

describe('rate limits', () => {
  test('a token beyond its rate gets 429 with Retry-After', async () => {
    const url = await start({ rateLimits: { perToken: { count: 3, perMs: 60 * SECOND }, perAddress: null } });
    expect((await statusesOf(`${url}/sample/me`, 5, reader)).sort()).toEqual([200, 200, 200, 429, 429]);
    const refused = await fetch(`${url}/sample/me`, { headers: reader });
    // A third of a minute, less what passed since the first request.
    const seconds = refused.headers.get('retry-after');
    expect(seconds).toMatch(/^(20|1\d)$/);
    expect(await refused.json()).toMatchObject({
      title: 'Too Many Requests',
      status: 429,
      detail: `Too many requests from this token; try again in ${seconds} s.`,
      error: 'temporarily_unavailable',
    });
    expect((await fetch(`${url}/sample/open`)).status).toBe(200);
  });

  test('an address beyond its rate gets 429 for everything but health probes', async () => {
    const url = await start({ rateLimits: { perToken: null, perAddress: { count: 2, perMs: 60 * SECOND } } });
    expect((await statusesOf(`${url}/sample/open`, 3)).sort()).toEqual([200, 200, 429]);
    const refused = await fetch(`${url}/sample/me`, { headers: reader });
    expect(refused.status).toBe(429);
    // Half a minute, less what passed since the first request.
    const seconds = refused.headers.get('retry-after');
    expect(seconds).toMatch(/^(30|2\d)$/);
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await refused.json()).toMatchObject({
      detail: `Too many requests from this address; try again in ${seconds} s.`,
    });
    expect(await statusesOf(`${url}/health/live`, 5)).toEqual([200, 200, 200, 200, 200]);
  });

  test.each([
    ['connections of one address', '192.0.2.1:50001', '192.0.2.1:50002'],
    ['connections of one IPv6 network', '[2001:db8::1]:50001', '[2001:db8::2]:50002'],
    ['texts that are not addresses', 'caller-1', '192.0.2.1, caller-2'],
  ])('%s, as a trusted proxy reports them, share one limit', async (_case, first, second) => {
    const url = await start({
      rateLimits: { perToken: null, perAddress: { count: 1, perMs: 60 * SECOND } },
      trustedProxies: ['127.0.0.1'],
    });
    expect(await statusesOf(`${url}/sample/open`, 1, { 'x-forwarded-for': first })).toEqual([200]);
    expect(await statusesOf(`${url}/sample/open`, 1, { 'x-forwarded-for': second })).toEqual([429]);
  });

  test('behind a trusted proxy each caller has its own limit', async () => {
    const url = await start({
      rateLimits: { perToken: null, perAddress: { count: 1, perMs: 60 * SECOND } },
      trustedProxies: ['127.0.0.1'],
    });
    const statusFrom = async (address: string) =>
      (await fetch(`${url}/sample/open`, { headers: { 'x-forwarded-for': address } })).status;
    expect(await statusFrom('192.0.2.1')).toBe(200);
    expect(await statusFrom('192.0.2.2')).toBe(200);
    const asked = performance.now();
    expect(await statusFrom('192.0.2.1')).toBe(429);
    expect(performance.now() - asked).toBeGreaterThan(240);
    expect(await statusFrom('::ffff:192.0.2.1')).toBe(429);
    expect(await statusFrom('2001:db8::1')).toBe(200);
    expect(await statusFrom('2001:db8::2')).toBe(429);
    expect(await statusFrom('2001:db8:0:1::1')).toBe(200);
  });

  test('callers without a token are limited by address, not together', async () => {
    const url = await start({
      rateLimits: { perToken: { count: 1, perMs: 60 * SECOND }, perAddress: null },
      trustedProxies: ['127.0.0.1'],
    });
    const visitFrom = async (address: string) =>
      fetch(`${url}/sample/visit`, { headers: { 'x-forwarded-for': address } });
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'])
      statuses.push((await visitFrom(address)).status);
    expect(statuses).toEqual([200, 429, 200, 200, 429]);
    expect(await (await visitFrom('192.0.2.1')).json()).toMatchObject({
      detail: expect.stringMatching(/^Too many requests from this address; try again in \d+ s\.$/),
    });
    expect((await fetch(`${url}/sample/visit`, { headers: reader })).status).toBe(200);
  });

  test('refusals are counted by limit', async () => {
    const url = await start({ rateLimits: { perToken: { count: 1, perMs: 60 * SECOND }, perAddress: null } });
    const text = await (await fetch(`${url}/metrics`, { headers: reader })).text();
    expect(text).toContain('# TYPE http_rate_limited_requests_total counter');
  });
});

describe('invalid tokens', () => {
  const wrong = { authorization: 'Bearer wrong' };

  test('the first are answered at once, further ones are delayed; valid tokens never are', async () => {
    const url = await start();
    await statusesOf(`${url}/sample/me`, 10, wrong);
    const asked = performance.now();
    const slowed = fetch(`${url}/sample/me`, { headers: wrong });
    expect(await fastestTime(`${url}/sample/me`, reader, 200)).toBeLessThan(240);
    expect(await fastestTime(`${url}/sample/me`, {}, 401)).toBeLessThan(240);
    expect((await slowed).status).toBe(401);
    expect(performance.now() - asked).toBeGreaterThan(240);
  });

  test('at most 20 are delayed at a time: further ones get 429, and other callers are served', async () => {
    const url = await start({ maxInFlight: 40 });
    await statusesOf(`${url}/sample/me`, 10, wrong);
    // A busy machine may take longer to send them than the first are delayed.
    const answers = await statusesOf(`${url}/sample/me`, 200, wrong);
    const counts = [401, 429].map((wanted) => answers.filter((status) => status === wanted).length);
    expect(counts[0]).toBeGreaterThanOrEqual(20);
    expect(counts[1]).toBeGreaterThan(0);
    expect(counts[0]! + counts[1]!).toBe(200);
    expect((await fetch(`${url}/sample/open`)).status).toBe(200);
  });

  test('the addresses of one IPv6 network are one caller', async () => {
    const url = await start({ trustedProxies: ['127.0.0.1'] });
    for (let host = 1; host <= 10; host += 1) {
      await fetch(`${url}/sample/me`, { headers: { ...wrong, 'x-forwarded-for': `2001:db8::${host}` } });
    }
    const asked = performance.now();
    await fetch(`${url}/sample/me`, { headers: { ...wrong, 'x-forwarded-for': '2001:db8::99' } });
    expect(performance.now() - asked).toBeGreaterThan(240);
    expect(service?.logged()).toContainEqual(expect.objectContaining({ address: '2001:db8:0:0::/64' }));
  });

  test('the 429 that replaces a 401 does not reveal whether the token was valid', async () => {
    const url = await start();
    await statusesOf(`${url}/sample/me`, 10, wrong);
    // A busy machine may take longer to send them than the first are delayed.
    const all = await Promise.all(
      Array.from({ length: 200 }, () => fetch(`${url}/sample/me`, { headers: wrong })),
    );
    const refused = all.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.headers.has('www-authenticate')).toBe(false);
    expect(await refused?.json()).toMatchObject({
      status: 429,
      detail: 'Too many invalid tokens from this address; try again in 1 s.',
      instance: '/sample/me',
    });
  });

  test('each has a line of the access log with its address, also one that gets 429', async () => {
    const url = await start();
    await statusesOf(`${url}/sample/me`, 10, wrong);
    const answers = await statusesOf(`${url}/sample/me`, 200, wrong);
    await service?.close();
    const lines = service?.logged().filter(({ msg }) => msg === 'request') ?? [];
    expect(lines).toHaveLength(210);
    for (const line of lines) expect(line).toMatchObject({ route: '/sample/me', address: '127.0.0.1' });
    const refused = answers.filter((status) => status === 429);
    expect(lines.filter(({ status }) => status === 429)).toHaveLength(refused.length);
    expect(refused).not.toEqual([]);
  });

  test('they are counted, and logged once per address without the token', async () => {
    const url = await start();
    await statusesOf(`${url}/sample/me`, 15, wrong);
    const text = await (await fetch(`${url}/metrics`, { headers: reader })).text();
    expect(text).toMatch(/^http_wrong_tokens_total\{service="sample"\} \d+$/m);
    const warnings = service?.logged().filter(({ level }) => level === 'warn');
    expect(warnings).toEqual([
      expect.objectContaining({ address: '127.0.0.1', msg: 'this address keeps sending invalid tokens' }),
    ]);
    expect(JSON.stringify(service?.logged())).not.toContain('Bearer');
  });
});

describe('shares of the requests under way', () => {
  test('a token that uses up its share gets 429, while another and a caller without a token are served', async () => {
    const url = await start({ maxInFlight: 8 });
    const refusedBefore = await beyondShareOf(url, 'token');
    const flood = statusesOf(`${url}/sample/slow`, 20, reader);
    const arrived = statusesOf(`${url}/sample/slow`, 1, { authorization: 'Bearer writer' });
    expect(await arrived).toEqual([200]);
    expect((await fetch(`${url}/sample/open`)).status).toBe(200);
    const statuses = await flood;
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(await beyondShareOf(url, 'token')).toBe(refusedBefore + refused);
  });

  test('the refusal is delayed, and says why and when to try again', async () => {
    const url = await start({ maxInFlight: 4 });
    const slow = statusesOf(`${url}/sample/slow`, 3, reader);
    let refused: Response;
    let asked: number;
    do {
      asked = performance.now();
      refused = await fetch(`${url}/sample/slow`, { headers: reader });
    } while (refused.status === 200);
    expect(performance.now() - asked).toBeGreaterThan(490);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({
      detail: 'This token has reached its share of concurrent requests; try again shortly.',
    });
    await slow;
  });
});

/** From the metrics, which count for all services of this process. */
async function beyondShareOf(url: string, limit: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: reader })).text();
  return Number(
    new RegExp(`^http_requests_beyond_share_total{.*limit="${limit}".*} (\\d+)$`, 'm').exec(text)?.[1],
  );
}

describe('a path that supports other methods', () => {
  test.each([
    ['DELETE', '/sample/me', 'GET, HEAD'],
    ['PUT', '/sample', 'POST'],
    ['OPTIONS', '/sample/echo/a%2Fb?x=1', 'GET, HEAD'],
    ['PROPFIND', '/health/live', 'GET, HEAD'],
  ])('%s %s gets 405 with the supported methods', async (method, path, allow) => {
    const url = await start();
    const response = await fetch(url + path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await response.json()).toMatchObject({
      title: 'Method Not Allowed',
      detail: `This path does not support ${method}; use ${allow.replace(', ', ' or ')}.`,
      error: 'invalid_request',
    });
  });

  test.each([
    ['GET', '/nowhere'],
    ['POST', '/sample/echo'],
    ['GET', '/sample/echo/a/b'],
    ['DELETE', '/sampleXme'],
  ])('%s %s does not get 405', async (method, path) => {
    const url = await start();
    const response = await fetch(url + path, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ detail: 'There is nothing at this path.' });
  });

  test.each(['text/plain', 'application/json'])(
    'a body of %s on an unknown path is not looked at',
    async (type) => {
      const url = await start();
      const sent = { method: 'POST', body: '{', headers: { 'content-type': type } };
      expect((await fetch(`${url}/nowhere`, sent)).status).toBe(404);
      expect((await fetch(`${url}/sample/me`, sent)).status).toBe(405);
    },
  );
});

test('a header that does not end is answered with 408, and the connection closed', async () => {
  const url = await start({ headerTimeoutMs: SECOND });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET /sample/open HTTP/1.1\r\nHost: sample\r\n');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('slow and silent callers cannot hold a connection forever', async () => {
  await start();
  const server = service?.app.getHttpServer() as Server;
  expect(server).toMatchObject({
    headersTimeout: 15 * SECOND,
    requestTimeout: 300 * SECOND,
    keepAliveTimeout: 65 * SECOND,
    timeout: 300 * SECOND,
  });
});
