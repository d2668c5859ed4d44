import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type PostgresServer, recordFigure, startPostgres } from '@svc/test-servers';
import { FollowedChanges } from '../changes/followed-changes.js';
import { RegistryProcess } from '../registry-process.js';
import { pathOf, registration } from '../running-registry.js';

jest.setTimeout(300_000);

/** Streams open at once. */
const STREAMS = Number(process.env['DRILL_STREAMS'] ?? 1_000);

/** Streams that are opened at once: fewer than the requests that may be under way before shares count. */
const AT_ONCE = 50;

/** Changes that all of them receive. */
const CHANGES = Number(process.env['DRILL_CHANGES'] ?? 3);

let server: PostgresServer;
let dataDir: string;
let tokens: string[];
let registries: [RegistryProcess, RegistryProcess];
beforeAll(async () => {
  server = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  const token = randomBytes(32).toString('hex');
  const environment = {
    DATABASE_URL: await server.createDatabase(),
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: token,
  };
  registries = [await RegistryProcess.start(environment), await RegistryProcess.start(environment)];
  const body = { name: 'reader', scopes: ['clients:read'] };
  const made = await Promise.all([1, 2, 3, 4].map(async () => registries[0].ask('POST', '/token', { body })));
  tokens = made.map((answer) => String(answer.body['token']));
});
afterAll(async () => {
  for (const registry of registries) expect(await registry.end('SIGTERM')).toBe(0);
  await server.stop();
  await rm(dataDir, { recursive: true });
});

/** Warms up: what the first streams and requests load stays, however many follow. */
async function memoryBefore([serving]: typeof registries): Promise<number> {
  const first = [...(await open(AT_ONCE)), ...(await open(AT_ONCE))];
  for (const stream of first) stream.close();
  for (let count = 0; count < 200; count += 1) await serving.ask('GET', '/client?limit=1');
  return serving.memory();
}

/** In turns with one of several tokens, each of which has a share of the streams. */
const open = async (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) =>
      FollowedChanges.open(registries[0], tokens[at % tokens.length] ?? ''),
    ),
  );

test(`a change is at ${STREAMS} streams of one process within a second, while requests are answered`, async () => {
  const [serving, other] = registries;
  const before = await memoryBefore(registries);
  const streams: FollowedChanges[] = [];
  while (streams.length < STREAMS) streams.push(...(await open(Math.min(AT_ONCE, STREAMS - streams.length))));
  const perStream = ((await serving.memory()) - before) / STREAMS;

  const { body } = await other.ask('POST', '/client', { body: registration() });
  await Promise.all(streams.map(async (stream) => stream.arrived(1)));
  const tookMs: number[] = [];
  const requestMs: number[] = [];
  for (let change = 2; change <= CHANGES + 1; change += 1) {
    const update = registration({ client_name: `Shop ${change}` });
    await other.ask('PUT', pathOf(body['client_id']), { body: update });
    const acknowledged = performance.now();
    const request = serving.ask('GET', '/client?limit=1').then(({ status }) => {
      expect(status).toBe(200);
      requestMs.push(performance.now() - acknowledged);
    });
    await Promise.all(streams.map(async (stream) => stream.arrived(change)));
    tookMs.push(performance.now() - acknowledged);
    await request;
  }
  expect(streams.filter(({ endedAt }) => endedAt > 0)).toEqual([]);
  for (const stream of streams) stream.close();

  const [fastest, ...slower] = tookMs.sort((a, b) => a - b).map(Math.round);
  recordFigure(`${CHANGES} changes at all of ${STREAMS} streams after`, `${fastest} to ${slower.at(-1)} ms`);
  recordFigure('a request at the same time, at most', `${Math.round(Math.max(...requestMs))} ms`);
  recordFigure('memory of the process per stream', `${Math.round(perStream / 1000)} kB`);
  expect(Math.max(...tookMs)).toBeLessThan(1_000);
});
