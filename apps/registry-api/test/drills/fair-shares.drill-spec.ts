import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Flood,
  type FloodRequest,
  mainThreadMs,
  type PostgresServer,
  recordFigure,
  startPostgres,
} from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { type Answer, ask, pathOf, registration } from '../running-registry.js';
import { storeClients } from './support/store-clients.js';

/** How long each flood lasts, in milliseconds. */
const FLOOD_MS = Number(process.env['DRILL_FLOOD_MS'] ?? 3_000);
const CLIENTS = Number(process.env['DRILL_CLIENTS'] ?? 5_000);

/** Connections of the flood: twice the requests that may be under way. */
const CONNECTIONS = 200;

/** Until what runs for the first time has run, in milliseconds. */
const WARM_UP_MS = 1_000;

/** Between two requests of the other caller. */
const PAUSE_MS = 100;

/** The goal, in milliseconds: of the event loop's processor time, and alone also by the clock. */
const P99_MS = 100;
const ON_IDLE_MACHINE = process.env['DRILL_IDLE_MACHINE'] !== undefined;

let server: PostgresServer;
let dataDir: string;
let registry: RegistryProcess;
let path: string;
let secret: string;
beforeAll(async () => {
  server = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  const databaseUrl = await server.createDatabase();
  registry = await RegistryProcess.start({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
    RATE_LIMIT_PER_TOKEN: 'off',
    RATE_LIMIT_PER_ADDRESS: 'off',
  });
  await storeClients(databaseUrl, CLIENTS);
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  path = pathOf(body['client_id']);
  secret = String(body['client_secret']);
}, 120_000);
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await server.stop();
  await rm(dataDir, { recursive: true });
});

type Sent = Omit<FloodRequest, 'headers'> & { readonly type?: string };

const get = (of: string): Sent => ({ method: 'GET', path: of });
const post = (of: string, body: unknown): Sent => ({
  ...{ method: 'POST', path: of, type: 'application/json' },
  body: JSON.stringify(body),
});
const check = (): Sent =>
  post(`${path}/check/authorization_request`, {
    response_type: 'code',
    redirect_uri: 'https://shop.example/cb',
  });
const clients = (count: number) => Array.from({ length: count }, () => registration());

/** What the flooding caller sends. */
const FLOODS: Readonly<Record<string, () => Sent[]>> = {
  reads: () => [get(path)],
  checks: () => [check(), post(`${path}/check/secret`, { client_secret: secret })],
  registrations: () => [post('/client', registration())],
  lists: () => [get('/client?limit=200')],
  'searches with their totals': () =>
    ['tion', 'example', 'no such Client', '7'].map((text) =>
      get(`/client?count=true&sort=client_name&q=${encodeURIComponent(text)}`),
    ),
  'bulk requests': () => [
    post('/clients/bulk', {
      operations: clients(500).map((client) => ({ op: 'register', client })),
    }),
  ],
  exports: () => [get('/clients/export')],
  imports: () => [
    {
      ...{ method: 'POST', path: '/clients/import', type: 'application/x-ndjson' },
      body: clients(500)
        .map((client, index) => JSON.stringify({ client_id: `imported-${index}`, ...client }))
        .join('\n'),
    },
  ],
  statistics: () => [get('/clients/stats')],
  'all of these': () =>
    Object.entries(FLOODS).flatMap(([name, make]) => (name === 'all of these' ? [] : make())),
};

async function newToken(name: string): Promise<string> {
  const scopes = ['clients:read', 'clients:write', 'clients:check'];
  const { body } = await registry.ask('POST', '/token', { body: { name, scopes } });
  return String(body['token']);
}

interface Asked {
  readonly answer: Answer;
  readonly ms: number;
  /** Of the registry's event loop meanwhile: unlike the clock, it does not depend on other programs. */
  readonly workedMs: number;
}

/** Reads, checks and registers, ten times a second. */
async function askCalmly(token: string): Promise<Asked[]> {
  const asked: Asked[] = [];
  const kinds = [get(path), check(), post('/client', registration())];
  const until = performance.now() + FLOOD_MS;
  while (performance.now() < until) {
    const [began, before] = [performance.now(), await mainThreadMs(registry.pid)];
    const { method, path: of, body } = kinds[asked.length % kinds.length]!;
    const answer = await ask(registry.url + of, method, token, body === undefined ? {} : { body });
    const ms = performance.now() - began;
    asked.push({ answer, ms, workedMs: (await mainThreadMs(registry.pid)) - before });
    await sleep(Math.max(0, PAUSE_MS - ms));
  }
  return asked;
}

const quantile = (asked: readonly Asked[], share: number, of: 'ms' | 'workedMs' = 'ms') => {
  const sorted = asked.map((one) => one[of]).sort((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
};

test.each(Object.keys(FLOODS))(
  'a caller that floods the service with %s delays another little, and none of its requests is refused',
  async (name) => {
    const [flooding, calm] = [await newToken('flood'), await newToken('calm')];
    const requests = FLOODS[name]!().map(({ type, ...sent }) => ({
      ...sent,
      headers: {
        authorization: `Bearer ${flooding}`,
        ...(type !== undefined && { 'content-type': type }),
        ...(sent.body !== undefined && { 'content-length': String(Buffer.byteLength(sent.body)) }),
      },
    }));
    const flood = await Flood.start({ url: registry.url, connections: CONNECTIONS, requests });
    await sleep(WARM_UP_MS);
    const asked = await askCalmly(calm);
    const statuses = await flood.stop();
    const [p50, p99] = [quantile(asked, 0.5), quantile(asked, 0.99)];
    const workedMs = quantile(asked, 0.99, 'workedMs');
    recordFigure(`${name}: responses to the flooding caller`, summary(statuses));
    recordFigure(
      `${name}: p50 and p99 of ${asked.length} requests of another`,
      `${p50} ms, ${p99} ms (${workedMs} ms of processor time)`,
    );
    const refused = asked.filter(({ answer }) => answer.status >= 400);
    expect(refused.map(({ answer }) => answer.body['detail'])).toEqual([]);
    expect(statuses.has('no answer')).toBe(false);
    if (ON_IDLE_MACHINE) expect(Math.max(workedMs, p99)).toBeLessThan(P99_MS);
  },
  FLOOD_MS + 60_000,
);

function summary(statuses: ReadonlyMap<string, number>): string {
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
}
