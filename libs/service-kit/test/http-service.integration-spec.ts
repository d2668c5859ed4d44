import { database, heldRequests, startSample } from './sample-service.js';

type Sample = Awaited<ReturnType<typeof startSample>>;

let service: Sample;
beforeAll(async () => {
  service = await startSample();
});
afterAll(() => service.close());
beforeEach(() => {
  database.up = true;
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });
const post = (body: string, headers: Record<string, string>) =>
  fetch(`${service.url}/sample`, { method: 'POST', body, headers });

describe('errors', () => {
  const isProblem = (response: Response) =>
    response.headers.get('content-type')?.startsWith('application/problem+json');

  test("a service's own error gets the response of its mapper", async () => {
    const response = await get('/sample/fails/mapped', { 'x-request-id': 'req-1' });
    expect(isProblem(response)).toBe(true);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: 'the sample is broken',
      instance: '/sample/fails/mapped',
      request_id: 'req-1',
      error: 'conflict',
      error_description: 'the sample is broken',
    });
  });

  test('an unknown error is logged, and its details are not returned to the caller', async () => {
    const response = await get('/sample/fails/unexpectedly', { 'x-request-id': 'req-2' });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    const line = service
      .logged()
      .find(({ level, request_id }) => level === 'error' && request_id === 'req-2');
    expect(line).toMatchObject({ err: { message: 'a secret the caller must not see: unexpectedly' } });
  });

  test.each([
    ['an unknown path', '/nowhere', 404],
    ['a malformed percent-encoding', '/sample/echo/%zz', 400],
    ['a path parameter that is too long', `/sample/echo/${'a'.repeat(2000)}`, 414],
  ])('%s is a problem document', async (_, path, status) => {
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(isProblem(response)).toBe(true);
  });

  test.each([
    ['bad JSON', '{"amount":', 'application/json', 400],
    ['a form', 'amount=1', 'application/x-www-form-urlencoded', 415],
    ['a text', 'amount=1', 'text/plain', 415],
    ['JSON that reaches for prototypes', '{"__proto__":{"amount":1}}', 'application/json', 400],
    ['a body over the limit', JSON.stringify({ amount: 'x'.repeat(1024 * 1024) }), 'application/json', 413],
  ])('%s is a problem document', async (_, body, type, status) => {
    const response = await post(body, { 'content-type': type, authorization: 'Bearer writer' });
    expect(response.status).toBe(status);
    expect(isProblem(response)).toBe(true);
  });

  describe('names', () => {
    const search = async (query: string, body: string) => {
      const headers = { 'content-type': 'application/json' };
      return fetch(`${service.url}/sample/search${query}`, { method: 'POST', body, headers });
    };

    test.each([
      ['?page=2', '{"amount":1}', '/page', 'page'],
      ['?__proto__=1', '{"amount":1}', '/__proto__', '__proto__'],
      ['?__proto__=1&__proto__=2', '{"amount":1}', '/__proto__', '__proto__'],
      ['?%5f_proto__=1', '{"amount":1}', '/__proto__', '__proto__'],
      ['?word=a&constructor=1', '{"amount":1}', '/constructor', 'constructor'],
      ['?prototype=1', '{"amount":1}', '/prototype', 'prototype'],
      ['', '{"amount":1,"constructor":{"a":1}}', '/constructor', 'constructor'],
      ['', '{"amount":1,"labels":{"constructor":"a"}}', '/labels/constructor', 'constructor'],
    ])('%s with %s is refused and named', async (query, body, field, name) => {
      const response = await search(query, body);
      expect(response.status).toBe(400);
      const message = `'${name}' is not supported`;
      expect(await response.json()).toMatchObject({
        detail: `${field}: ${message}`,
        errors: [{ field, code: 'unknown_field', message }],
      });
    });

    test('a repeated query parameter is reported as repeated', async () => {
      const response = await search('?word=a&word=b', '{"amount":1}');
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        detail: '/word: word is given more than once',
        errors: [{ field: '/word', code: 'repeated', message: 'word is given more than once' }],
      });
    });

    test('that are known are accepted', async () => {
      const response = await search('?word=constructor', '{"amount":1,"labels":{"a":"__proto__"}}');
      expect(await response.json()).toEqual({
        amount: 1,
        labels: { a: '__proto__' },
        word: 'constructor',
      });
    });
  });

  test('a path parameter is decoded once, slashes included', async () => {
    const id = 'a/b%c d%2F';
    expect(await (await get(`/sample/echo/${encodeURIComponent(id)}`)).json()).toEqual({ id });
  });

  test('the longest client_id fits into a path', async () => {
    const id = '%'.repeat(255);
    expect(await (await get(`/sample/echo/${encodeURIComponent(id)}`)).json()).toEqual({ id });
  });
});

describe('headers', () => {
  test('every answer forbids framing, sniffing and caching and names its request', async () => {
    const { headers } = await get('/sample/open');
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('an ill-formed request id is replaced', async () => {
    const { headers } = await get('/sample/open', { 'x-request-id': 'a b<script>' });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('health', () => {
  test('live and ready answer without a token', async () => {
    expect(await (await get('/health/live')).json()).toEqual({ status: 'alive' });
    expect(await (await get('/health/ready')).json()).toEqual({
      status: 'ready',
      checks: { database: 'up' },
    });
  });

  test('a failing check makes the service not ready', async () => {
    database.up = false;
    const response = await get('/health/ready');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toEqual({ status: 'not ready', checks: { database: 'down' } });
  });
});

test('/metrics counts requests by route pattern, for those who may see it', async () => {
  await (await get('/sample/echo/counted')).text();
  expect((await get('/metrics')).status).toBe(401);
  const text = await (await get('/metrics', { authorization: 'Bearer reader' })).text();
  expect(text).toMatch(
    /^http_request_duration_seconds_count\{service="sample",method="GET",route="\/sample\/echo\/:id",status="200"\} [1-9]/m,
  );
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).toContain('service_build_info{version="1.2.3",service="sample"} 1');
  // Counters are there before the first event, or rate() would not see that one.
  expect(text).toContain('http_rate_limited_requests_total{limit="token",service="sample"} 0');
  expect(text).not.toContain('counted');
  // Only counters may end in _total.
  expect(text).not.toMatch(/^# TYPE \S+_total gauge/m);
});

describe('documents', () => {
  test('/openapi.json is OpenAPI 3.1 and names the scope of a route', async () => {
    const document = (await (await get('/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(document.paths['/sample/me']?.['get']).toMatchObject({
      security: [{ bearer: [] }],
      'x-required-scope': 'sample:read',
    });
  });

  test('/docs is a page whose own scripts its policy allows', async () => {
    const page = await get('/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>\s*\S/);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  });

  test('both are hidden when switched off', async () => {
    const hidden = await startSample({ publicApiDocument: false });
    expect((await fetch(`${hidden.url}/openapi.json`)).status).toBe(404);
    expect((await fetch(`${hidden.url}/docs`)).status).toBe(404);
    await hidden.close();
  });
});

describe('access log', () => {
  test('a line has the route, not the path, and what the service adds', async () => {
    const logging = await startSample({ accessLogFields: () => ({ zone: { country: 'NL' } }) });
    await (
      await fetch(`${logging.url}/sample/echo/private?x=private`, { headers: { 'x-request-id': 'r' } })
    ).text();
    await logging.close();
    const line = logging.logged().find(({ msg }) => msg === 'request');
    expect(line).toMatchObject({
      request_id: 'r',
      method: 'GET',
      route: '/sample/echo/:id',
      status: 200,
      address: '127.0.0.1',
      zone: { country: 'NL' },
    });
    expect(JSON.stringify(line)).not.toContain('private');
  });

  test('a line says when, who and what: the time in UTC, the principal, the request', async () => {
    const logging = await startSample();
    const headers = { authorization: 'Bearer reader', 'x-request-id': 'who' };
    const before = Date.now();
    await (await fetch(`${logging.url}/sample/me`, { headers })).text();
    await logging.close();
    const line = logging.logged().find(({ msg }) => msg === 'request');
    expect(line).toMatchObject({
      request_id: 'who',
      principal: 'reader of samples',
      method: 'GET',
      route: '/sample/me',
    });
    const time = String(line?.['time']);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
  });

  test('a text with line breaks and control characters cannot forge a line', async () => {
    const logging = await startSample();
    const forged =
      'x\r\n{"level":"info","msg":"forged"}\u0000\u001b[2K\b\u007f\u0085\u202e"}\u2028\n{"msg":"forged"}\n';
    const headers = { 'x-request-id': 'forging' };
    await (await fetch(`${logging.url}/sample/fails/${encodeURIComponent(forged)}`, { headers })).text();
    await logging.close();
    const lines = logging.raw().split(/[\n\r\u0085\u2028\u2029]/);
    expect(lines.pop()).toBe('');
    expect(logging.raw()).not.toMatch(/[\u007f-\u009f\u202a-\u202e]/);
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed.filter(({ msg }) => msg === 'forged')).toEqual([]);
    expect(parsed.filter(({ request_id }) => request_id === 'forging')).toMatchObject([
      { level: 'error', err: { message: `a secret the caller must not see: ${forged}` } },
      { msg: 'request' },
    ]);
  });

  test('a line has the trace of a valid traceparent', async () => {
    const logging = await startSample();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    for (const traceparent of [`00-${traceId}-00f067aa0ba902b7-01`, 'private'])
      await (await fetch(`${logging.url}/sample/open`, { headers: { traceparent } })).text();
    await logging.close();
    const lines = logging.logged().filter(({ msg }) => msg === 'request');
    expect(lines.map(({ trace_id }) => trace_id)).toEqual([traceId, undefined]);
  });

  test('X-Forwarded-For is only trusted from a trusted proxy', async () => {
    const addressSeen = async (trustedProxies: string[]) => {
      const proxied = await startSample({ trustedProxies });
      await (
        await fetch(`${proxied.url}/sample/open`, { headers: { 'x-forwarded-for': '192.0.2.7' } })
      ).text();
      await proxied.close();
      return proxied.logged().find(({ msg }) => msg === 'request')?.['address'];
    };
    expect(await addressSeen([])).toBe('127.0.0.1');
    expect(await addressSeen(['127.0.0.1'])).toBe('192.0.2.7');
  });
});

test('requests beyond the limit get 503 with Retry-After, and the next ones are served', async () => {
  const small = await startSample({ maxInFlight: 1 });
  const underWay = fetch(`${small.url}/sample/held`);
  await heldRequests.arrived(1);
  const refused = await fetch(`${small.url}/sample/open`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  heldRequests.release();
  expect((await underWay).status).toBe(200);
  await (await underWay).text();
  expect((await fetch(`${small.url}/sample/open`)).status).toBe(200);
  await small.close();
});

test('/metrics reports the requests in flight, including its own, and their limit', async () => {
  const small = await startSample({ maxInFlight: 3 });
  const underWay = fetch(`${small.url}/sample/held`);
  await heldRequests.arrived(1);
  const answer = await fetch(`${small.url}/metrics`, { headers: { authorization: 'Bearer reader' } });
  const text = await answer.text();
  heldRequests.release();
  await (await underWay).text();
  await small.close();
  expect(text).toMatch(/^http_requests_in_flight\{service="sample"\} 2$/m);
  expect(text).toMatch(/^http_requests_in_flight_limit\{service="sample"\} 3$/m);
});
