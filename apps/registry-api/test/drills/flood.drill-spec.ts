import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, recordFigure, startPostgres } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { ask, pathOf, registration } from '../running-registry.js';

/** How long a flood lasts, in milliseconds; longer on a machine so slow that it is hardly one. */
const FLOOD_MS = Number(process.env['DRILL_FLOOD_MS'] ?? 2_000);

/** So many refusals are wanted. */
const REFUSED = 200;

/** Connections of the flood. */
const CONNECTIONS = 64;

/** Requests in a second that one token, and one address, may make. */
const RATE = 20;

let server: PostgresServer;
let dataDir: string;
let registry: RegistryProcess;
beforeAll(async () => {
  server = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  registry = await RegistryProcess.start({
    DATABASE_URL: await server.createDatabase(),
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
    RATE_LIMIT_PER_TOKEN: `${RATE}/s`,
    RATE_LIMIT_PER_ADDRESS: `${RATE}/s`,
    TRUSTED_PROXIES: '127.0.0.1',
  });
});
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await server.stop();
  await rm(dataDir, { recursive: true });
});

/** Asks over many connections as fast as answers come. @returns how often each status was answered */
async function flood(path: string, headersOf: () => Record<string, string>): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const until = performance.now() + FLOOD_MS;
  const isOver = () => performance.now() > until && (statuses.get(429) ?? 0) >= REFUSED;
  const call = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver()) {
      const status = await statusOf(path, headersOf(), agent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, call));
  return statuses;
}

async function statusOf(path: string, headers: Record<string, string>, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(registry.url + path, { headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end();
  });
}

/** A caller within its rate. @returns how long each of its answers took, in milliseconds, once the flood is over */
async function askWhile(flooding: Promise<unknown>, path: string, token: string): Promise<number[]> {
  const tookMs: number[] = [];
  let isOver = false;
  void flooding.finally(() => (isOver = true));
  for (; !isOver; await sleep(100)) {
    const began = performance.now();
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const { status } = await ask(registry.url + path, 'GET', token, { headers });
    expect(status).toBe(200);
    tookMs.push(performance.now() - began);
  }
  return tookMs.sort((a, b) => a - b);
}

async function tokenOf(name: string): Promise<string> {
  const { body } = await registry.ask('POST', '/token', { body: { name, scopes: ['clients:read'] } });
  return String(body['token']);
}

const from = (address: string, token: string) => ({
  'x-forwarded-for': address,
  authorization: `Bearer ${token}`,
});

/** Who floods, and the statuses that it may get. */
const FLOODS: readonly [string, number[], (token: string) => () => Record<string, string>][] = [
  [
    'one token, from many addresses',
    [200, 429],
    (token) => {
      let count = 0;
      return () => from(`203.0.113.${(count += 1) % 250}`, token);
    },
  ],
  ['one address, with a valid token', [200, 429], (token) => () => from('203.0.113.1', token)],
  [
    'one address, with wrong tokens',
    [401, 429],
    () => () => from('203.0.113.2', randomBytes(32).toString('hex')),
  ],
];

test.each(FLOODS)('a flood of %s is refused, and another caller is served', async (name, expected, make) => {
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  const path = pathOf(body['client_id']);
  const [honest, flooding] = [await tokenOf('honest'), await tokenOf('flood')];
  const began = performance.now();
  const flooded = flood(path, make(flooding));
  const tookMs = await askWhile(flooded, path, honest);
  const statuses = await flooded;
  const seconds = (performance.now() - began) / 1000;
  const count = (status: number) => statuses.get(status) ?? 0;
  const all = [...statuses.values()].reduce((sum, one) => sum + one, 0);
  const p99 = tookMs[Math.floor(tookMs.length * 0.99)] ?? 0;
  recordFigure(
    `flood of ${name}: requests in ${Math.round(seconds)} s, refused with 429`,
    `${all}, ${count(429)}`,
  );
  recordFigure(`${name}: requests of another caller meanwhile, refused`, `${tookMs.length}, 0`);
  recordFigure(
    `${name}: their p50, p99`,
    `${Math.round(tookMs[tookMs.length >> 1] ?? 0)} ms, ${Math.round(p99)} ms`,
  );
  expect([...statuses.keys()].filter((status) => !expected.includes(status))).toEqual([]);
  // A whole rate at once, then what comes back in the time.
  expect(count(200)).toBeLessThanOrEqual(RATE * (1 + seconds) + 1);
  expect(p99).toBeLessThan(5_000);
});
