import { once } from 'node:events';
import { connect } from 'node:net';
import { startSample } from './sample-service.js';

let service: Awaited<ReturnType<typeof startSample>>;
beforeAll(async () => {
  service = await startSample();
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

test('a public route needs no token', async () => {
  expect(await (await get('/sample/open')).json()).toEqual({ open: true });
});

test('without a token the answer is 401 and says how to send one', async () => {
  const response = await get('/sample/me');
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="svc"');
  expect(await response.json()).toMatchObject({
    status: 401,
    error: 'invalid_token',
    instance: '/sample/me',
  });
});

test.each(['Bearer wrong', 'Bearer ', 'Basic cmVhZGVyOg==', 'Bearer reader extra'])(
  'the credentials "%s" are refused',
  async (authorization) => {
    const response = await get('/sample/me', { authorization });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  },
);

test('a token in the query does not count', async () => {
  expect((await get('/sample/me?access_token=reader')).status).toBe(401);
});

test('a valid token reaches the handler as its principal, whatever the case of the scheme', async () => {
  expect(await (await get('/sample/me', { authorization: 'bearer reader' })).json()).toEqual({
    id: '1',
    name: 'reader of samples',
    scopes: ['sample:read', 'metrics:read'],
  });
});

test('a token without the scope gets 403 that names it', async () => {
  const headers = { authorization: 'Bearer reader', 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/sample`, { method: 'POST', body: '{"amount":1}', headers });
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toContain('scope="sample:write"');
  expect(await response.json()).toMatchObject({ error: 'insufficient_scope' });
});

test.each([
  ['nobody', '', 401],
  ['a wrong token', 'Authorization: Bearer wrong\r\n', 401],
  ['a token without the scope', 'Authorization: Bearer reader\r\n', 403],
])('%s is refused before the body has arrived', async (_case, credentials, status) => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const type = 'Content-Type: application/json\r\n';
  socket.write(`POST /sample HTTP/1.1\r\nHost: a\r\n${credentials}${type}Content-Length: 99999999\r\n\r\n{`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  socket.destroy();
});

test('a route without declared access is closed, without details for the caller', async () => {
  const response = await get('/sample/undeclared', { authorization: 'Bearer reader' });
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('SampleController');
});
