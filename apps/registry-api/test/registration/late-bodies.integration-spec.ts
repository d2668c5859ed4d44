import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { ask, pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

let registry: RunningRegistry;
let initial: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  registry = await runRegistry({ REGISTRATION: 'token', RATE_LIMIT_PER_TOKEN: '20/h' });
  const body = { name: 'developers', scopes: ['clients:register'] };
  initial = String((await registry.ask('POST', '/token', { body })).body['token']);
}, DATABASE_START_MS);
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => registry.close());

const registered = async (): Promise<Record<string, unknown>> =>
  (await ask(`${registry.url}/register`, 'POST', initial, { body: registration() })).body;

/** Announces a body and sends its first half; `rest` is for the other. */
function sendHalf(method: string, clientId: unknown, token: unknown, body: string) {
  const socket = connect(Number(new URL(registry.url).port), '127.0.0.1');
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
    expect(answer()).toMatch(/^HTTP\/1\.1 403 [^]*This Client is disabled; ask the administrator/);
    const { status, body: kept } = await registry.ask('GET', pathOf(client_id));
    expect([status, kept['client_name'], kept['enabled']]).toEqual([200, 'Shop', false]);
  },
);

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
