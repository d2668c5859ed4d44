import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, recordFigure, startPostgres } from '@svc/test-servers';
import pg from 'pg';
import { RegistryProcess } from '../registry-process.js';
import { type Answer, pathOf, registration } from '../running-registry.js';

/** How often all connections are taken. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

/** Requests under way at once beyond which the server refuses those of one token. */
const MAX_IN_FLIGHT = 75;
const BEYOND = 75;

/** A wait for a connection and then for a statement, each of which ends after 5 s, in milliseconds. */
const LONGEST_WAIT_MS = 11_000;

let server: PostgresServer;
let databaseUrl: string;
let dataDir: string;
let registry: RegistryProcess;
beforeAll(async () => {
  server = await startPostgres();
  databaseUrl = await server.createDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  registry = await RegistryProcess.start({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '2',
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
  });
});
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await server.stop();
  await rm(dataDir, { recursive: true });
});

interface Waited {
  readonly answer: Answer;
  readonly ms: number;
}

const timed = async (path: string): Promise<Waited> => {
  const began = performance.now();
  const answer = await registry.ask('GET', path);
  return { answer, ms: performance.now() - began };
};
const manyTimes = async (path: string, count: number) =>
  Promise.all(Array.from({ length: count }, async () => timed(path)));
const slowest = (waited: readonly Waited[]) => Math.max(...waited.map(({ ms }) => ms));
const isRefusal = ({ answer }: Waited) =>
  String(answer.body['detail']).startsWith('This token has reached its share of concurrent requests');

/** Holds a table, so that each statement that reads it waits and keeps its connection. */
async function lockClients(): Promise<() => Promise<void>> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  await connection.query('BEGIN; LOCK TABLE client IN ACCESS EXCLUSIVE MODE');
  return async () => connection.end();
}

test(
  'while every connection is taken the line is bounded: 429 at once beyond the share of a token, 503 in time for those in it',
  async () => {
    const { body } = await registry.ask('POST', '/client', { body: registration() });
    const path = pathOf(body['client_id']);
    const waited: Waited[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const unlock = await lockClients();
      // Both connections are open and taken long before readiness is asked for: one that opened just now shows that the
      // database responds.
      const first = timed(path);
      await sleep(100);
      const second = timed(path);
      await sleep(100);
      const asked = manyTimes(path, MAX_IN_FLIGHT + BEYOND - 2);
      await sleep(500);
      expect((await registry.ask('GET', '/health/live')).status).toBe(200);
      expect((await registry.ask('GET', '/health/ready')).status).toBe(503);
      const answers = [await first, await second, ...(await asked)];
      await unlock();
      expect(answers.filter(isRefusal)).toHaveLength(BEYOND);
      for (const { answer } of answers) {
        expect([429, 503]).toContain(answer.status);
        expect(answer.headers.has('retry-after')).toBe(true);
      }
      waited.push(...answers);
      const after = await manyTimes(path, MAX_IN_FLIGHT);
      expect(new Set(after.map(({ answer }) => answer.status))).toEqual(new Set([200]));
      expect((await registry.ask('GET', '/health/ready')).status).toBe(200);
    }
    const refused = waited.filter(isRefusal);
    const given = waited.filter((one) => !isRefusal(one));
    recordFigure('all connections taken, 150 requests at once', `${ROUNDS} times`);
    recordFigure('429 at once (slowest)', `${refused.length} (${Math.round(slowest(refused))} ms)`);
    recordFigure('503 after waiting (slowest)', `${given.length} (${(slowest(given) / 1000).toFixed(2)} s)`);
    expect(slowest(given)).toBeLessThan(LONGEST_WAIT_MS);
    expect(slowest(refused)).toBeLessThan(Math.min(...given.map(({ ms }) => ms)));
  },
  60_000 + ROUNDS * 30_000,
);

test('64 callers who share 2 connections are all served', async () => {
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  const path = pathOf(body['client_id']);
  const waited: Waited[] = [];
  const call = async (): Promise<void> => {
    for (let count = 0; count < 20; count += 1) waited.push(await timed(path));
  };
  await Promise.all(Array.from({ length: 64 }, call));
  const sorted = waited.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => `${Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)} ms`;
  recordFigure('64 callers on 2 connections: answers of 200', `${waited.length}`);
  recordFigure('64 callers on 2 connections: p50, p99', `${at(0.5)}, ${at(0.99)}`);
  expect(new Set(waited.map(({ answer }) => answer.status))).toEqual(new Set([200]));
});
