import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { ask, pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

let registry: RunningRegistry;
let lasting: RunningRegistry;
let renewing: RunningRegistry;
const sockets: Socket[] = [];

beforeAll(async () => {
  registry = await runRegistry({ REGISTRATION: 'token', RATE_LIMIT_PER_TOKEN: '20/h' });
  lasting = await runRegistry({ REGISTRATION: 'token' });
  renewing = await runRegistry({ REGISTRATION: 'token', REGISTRATION_TOKEN_LIFETIME: '30 d' });
}, DATABASE_START_MS);
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  for (const each of [registry, lasting, renewing]) await each.close();
});

async function registered(at = registry): Promise<Record<string, unknown>> {
  const body = { name: 'developers', scopes: ['clients:register'] };
  const initial = String((await at.ask('POST', '/token', { body })).body['token']);
  return (await ask(`${at.url}/register`, 'POST', initial, { body: registration() })).body;
}

/** Announces a body and sends its first half; `rest` is for the other. */
function sendHalf(method: string, clientId: unknown, token: unknown, body: string, { url } = registry) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  const half = body.length / 2;
  socket.write(
    `${method} /register/${encodeURIComponent(String(clientId))} HTTP/1.1\r\nHost: a\r\n` +
      `Authorization: Bearer ${String(token)}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, half)}`,
  );
  return { rest: () => socket.write(body.slice(half)), answer: () => answer };
}

test.each(['PUT', 'DELETE'])('%s with a wrong token is refused before its body has come', async (method) => {
  const { client_id } = await registered();
  const callers = Array.from({ length: 80 }, (_, index) =>
    sendHalf(method, client_id, `wrong${index}`, '{}'),
  );
  while (callers.some(({ answer }) => answer() === '')) await sleep(10);
  const statuses = callers.map(({ answer }) => /^HTTP\/1\.1 (\d+) /.exec(answer())?.[1]);
  // Callers with wrong tokens are slowed down, on a fast machine.
  for (const status of statuses) expect(['401', '429']).toContain(status);
  expect((await registry.ask('GET', pathOf(client_id))).status).toBe(200);
});

test.each(['PUT', 'DELETE'])(
  'a Client that is disabled while the body of a %s is on its way stays as it is',
  async (method) => {
    const { client_id, registration_access_token: token } = await registered();
    const body = JSON.stringify({ client_id, ...registration({ client_name: 'Store' }) });
    const { rest, answer } = sendHalf(method, client_id, token, body);
    await sleep(200);
    expect((await registry.ask('POST', `${pathOf(client_id)}/disable`)).status).toBe(200);
    rest();
    while (answer() === '') await sleep(10);
    expect(answer()).toMatch(/^HTTP\/1\.1 403 [^]*This client is disabled; ask the administrator/);
    const { status, body: kept } = await registry.ask('GET', pathOf(client_id));
    expect([status, kept['client_name'], kept['enabled']]).toEqual([200, 'Shop', false]);
  },
);

describe.each([
  ['without a lifetime', () => lasting],
  ['with a lifetime', () => renewing],
])('a registration access token %s', (_case, at) => {
  test.each([
    ['PUT', 'replaced', 'POST', { client_name: 'Store' }],
    ['PUT', 'replaced', 'POST', {}],
    ['PUT', 'revoked', 'DELETE', { client_name: 'Store' }],
    ['DELETE', 'replaced', 'POST', {}],
    ['DELETE', 'revoked', 'DELETE', {}],
  ])('does nothing if, while the body of a %s is on its way, it is %s', async (method, _how, by, changed) => {
    const { client_id, registration_access_token: former } = await registered(at());
    const body = JSON.stringify({ client_id, ...registration(changed) });
    const { rest, answer } = sendHalf(method, client_id, former, body, at());
    await sleep(200);
    const replaced = await at().ask(by, `${pathOf(client_id)}/registration_token`);
    rest();
    while (answer() === '') await sleep(10);
    expect(answer()).toMatch(/^HTTP\/1\.1 401 [^]*"error":"invalid_token"/);
    expect((await at().ask('GET', pathOf(client_id))).body['client_name']).toBe('Shop');
    const token = replaced.body['registration_access_token'];
    const own = `${at().url}/register/${String(client_id)}`;
    expect((await ask(own, 'GET', String(former))).status).toBe(401);
    if (token !== undefined) expect((await ask(own, 'GET', String(token))).status).toBe(200);
  });
});

test('a registration access token beyond its rate gets 429, like any other token', async () => {
  const client = await registered();
  const [url, token] = [
    String(client['registration_client_uri']),
    String(client['registration_access_token']),
  ];
  const statuses: number[] = [];
  for (let asked = 0; asked < 21; asked += 1) statuses.push((await ask(url, 'GET', token)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.at(-1)).toBe(429);
});
