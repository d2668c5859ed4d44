import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import {
  type PostgresServer,
  query,
  recordFigure,
  startPostgres,
  startTcpProxy,
  type TcpProxy,
} from '@svc/test-servers';
import pg from 'pg';
import { RegistryProcess } from '../registry-process.js';
import { pathOf, registration } from '../running-registry.js';
import { Callers } from './support/callers.js';
import { storedClientIds } from './support/stored-client-ids.js';

jest.setTimeout(900_000);

/** How often each thing happens to PostgreSQL. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

/** For how long PostgreSQL cannot be reached, in milliseconds. */
const UNREACHABLE_MS = Number(process.env['DRILL_UNREACHABLE_MS'] ?? 1_500);

/** For how long it is frozen, in milliseconds: longer than anybody may wait for an answer. */
const FROZEN_MS = 14_000;

/** The longest that anybody may wait, in milliseconds: for a connection, then for the answer to a statement. */
const LONGEST_WAIT_MS = 5_000 + 7_000 + 1_000;

/** Readiness is asked for by a probe, whose check takes 2 s at most. */
const UNREADY_MS = 4_000;

const CALLERS = 24;

/** Sessions that wait for a lock of another one. Ask outside transactions: within one, PostgreSQL looks for sessions only once. */
const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;

let server: PostgresServer;
let wire: TcpProxy;
let directUrl: string;
let dataDir: string;
let registry: RegistryProcess;
beforeAll(async () => {
  server = await startPostgres();
  directUrl = await server.createDatabase();
  wire = await startTcpProxy(new URL(directUrl).host);
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  registry = await RegistryProcess.start({
    DATABASE_URL: directUrl.replace(new URL(directUrl).host, wire.address),
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
  });
});
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await wire.stop();
  await server.stop();
  await rm(dataDir, { recursive: true });
});

const isReady = async () => (await registry.ask('GET', '/health/ready')).status === 200;

/** @returns how long it took, in milliseconds */
async function until(isSo: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) await sleep(10);
  return performance.now() - began;
}

/** Asks all the time whether the process is alive. @returns the slowest answer, in milliseconds, once it is stopped */
function probeLiveness(): () => Promise<number> {
  let isWanted = true;
  let slowestMs = 0;
  const probing = (async () => {
    for (; isWanted; await sleep(50)) {
      const began = performance.now();
      expect((await registry.ask('GET', '/health/live')).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - began);
    }
    return slowestMs;
  })();
  return async () => {
    isWanted = false;
    return probing;
  };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

test.each<[string, number, () => Promise<unknown>, () => Promise<unknown>]>([
  ['restarted', 500, async () => server.halt('stop'), async () => server.startAgain()],
  ['crashed', 500, async () => server.halt('kill'), async () => server.startAgain()],
  ['unreachable', UNREACHABLE_MS, async () => wire.stall(), async () => wire.resume()],
  ['frozen', FROZEN_MS, async () => server.freeze(), async () => server.thaw()],
])(
  'PostgreSQL is %s under load: 503 within bounds meanwhile, then all goes on by itself and nothing acknowledged is lost',
  async (name, awayMs, strike, mend) => {
    const callers = new Callers(registry, CALLERS);
    const stopProbing = probeLiveness();
    const unreadyMs: number[] = [];
    const recoveryMs: number[] = [];
    // On a slow machine, the first reads come late.
    await until(async () => Promise.resolve([200, 201].every((status) => callers.statuses.has(status))));
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(400);
      await strike();
      unreadyMs.push(await until(async () => !(await isReady())));
      await sleep(awayMs);
      await mend();
      recoveryMs.push(await until(isReady));
    }
    await sleep(300);
    await callers.stop();
    const slowestProbeMs = await stopProbing();

    recordFigure(`${name} ${ROUNDS} times: not ready after, at most`, seconds(Math.max(...unreadyMs)));
    recordFigure(`${name}: ready again after its return, at most`, seconds(Math.max(...recoveryMs)));
    recordFigure(`${name}: longest wait for an answer`, seconds(callers.longestMs));
    recordFigure(`${name}: slowest answer to a liveness probe`, seconds(slowestProbeMs));
    recordFigure(`${name}: answers`, callers.summary());
    recordFigure(`${name}: registrations acknowledged, lost`, `${callers.acknowledged.length}, 0`);

    const kept = await storedClientIds(directUrl);
    expect(callers.acknowledged.filter((clientId) => !kept.has(clientId))).toEqual([]);
    expect(new Set(callers.acknowledged).size).toBe(callers.acknowledged.length);
    expect(callers.unexpected).toEqual([]);
    expect([...callers.statuses.keys()].sort()).toEqual([200, 201, 503]);
    expect(callers.longestMs).toBeLessThan(LONGEST_WAIT_MS);
    expect(Math.max(...unreadyMs)).toBeLessThan(UNREADY_MS);
    expect(Math.max(...recoveryMs)).toBeLessThan(3_000);
    expect(registry.printed()).not.toMatch(/"status":500/);
  },
);

test('connections lost during transactions are 503 to their callers, and the process continues', async () => {
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  const path = pathOf(body['client_id']);
  const rename = async () => registry.ask('PATCH', path, { body: { client_name: 'Renamed' } });
  const other = new pg.Client({ connectionString: directUrl });
  await other.connect();
  await other.query('BEGIN; SELECT FROM client FOR UPDATE');
  const renaming = Array.from({ length: 5 }, rename);
  await until(async () => (await query(directUrl, WAITING)).length === 5);
  wire.cut();
  for (const { status, headers } of await Promise.all(renaming)) {
    expect([status, headers.has('retry-after')]).toEqual([503, true]);
  }
  await other.end();
  expect((await rename()).status).toBe(200);
  recordFigure('connections lost amid 5 transactions', '5 × 503');
});
