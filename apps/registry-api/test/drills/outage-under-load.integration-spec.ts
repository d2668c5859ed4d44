import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '@svc/test-servers';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { type Answer, pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

/** Callers that ask all the time. */
const CALLERS = 24;

/** How often PostgreSQL goes away. */
const ROUNDS = Number(process.env['DRILL_OUTAGES'] ?? 1);

let server: PostgresServer;
let registry: RunningRegistry;
beforeEach(async () => {
  server = await startPostgres();
}, DATABASE_START_MS);
afterEach(async () => {
  await registry.close();
  await server.stop();
});

const start = async (environment: Readonly<Record<string, string>> = {}) => {
  registry = await runRegistry({ DATABASE_URL: await server.createDatabase(), ...environment });
};
const isReady = async () => (await registry.ask('GET', '/health/ready')).status === 200;
const register = async () => registry.ask('POST', '/client', { body: registration() });

/** What callers were answered, and which Clients were acknowledged. */
class Callers {
  readonly statuses = new Map<number, number>();
  readonly acknowledged: unknown[] = [];
  readonly unexpected: Answer[] = [];
  private isWanted = true;
  private readonly calling = Array.from({ length: CALLERS }, async (_, index) => this.call(index));

  async stop(): Promise<void> {
    this.isWanted = false;
    await Promise.all(this.calling);
  }

  private async call(index: number): Promise<void> {
    while (this.isWanted) {
      const [latest] = this.acknowledged.slice(-1);
      const writes = latest === undefined || index % 2 === 0;
      const answer = writes ? await register() : await registry.ask('GET', pathOf(latest));
      this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 201) this.acknowledged.push(answer.body['client_id']);
      else if (answer.status === 503) await sleep(20);
      else if (answer.status !== 200) this.unexpected.push(answer);
      if (answer.status === 503 && answer.headers.get('retry-after') === null) this.unexpected.push(answer);
    }
  }
}

test.each(['stop', 'kill'] as const)(
  'PostgreSQL goes away under load (%s): 503 with Retry-After, then all goes on by itself and nothing acknowledged is lost',
  async (how) => {
    await start();
    const callers = new Callers();
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(400);
      await server.halt(how);
      await sleep(400);
      await server.startAgain();
      const back = Date.now();
      while (!(await isReady())) await sleep(20);
      expect(Date.now() - back).toBeLessThan(3_000);
    }
    await sleep(300);
    await callers.stop();
    expect(callers.unexpected).toEqual([]);
    expect([...callers.statuses.keys()].sort()).toEqual([200, 201, 503]);
    const rows = await registry.dataSource.query<{ client_id: string }[]>('SELECT client_id FROM client');
    const kept = new Set(rows.map(({ client_id }) => client_id));
    expect(callers.acknowledged.filter((clientId) => !kept.has(String(clientId)))).toEqual([]);
    expect(new Set(callers.acknowledged).size).toBe(callers.acknowledged.length);
    expect(registry.logged()).not.toMatch(/"status":500/);
  },
);

test('while every connection is taken the line is bounded: 503, at once beyond 100 requests, and then it goes on', async () => {
  await start({ DATABASE_POOL_SIZE: '2' });
  const { body } = await register();
  const blocker = registry.dataSource.createQueryRunner();
  await blocker.connect();
  const other = registry.dataSource.createQueryRunner();
  await other.connect();

  const began = Date.now();
  const path = pathOf(body['client_id']);
  const waiting = Array.from({ length: 100 }, async () => registry.ask('GET', path));
  await sleep(300);
  const beyond = await registry.ask('GET', path);
  expect(Date.now() - began).toBeLessThan(2_500);
  expect([beyond.status, beyond.body['detail']]).toEqual([
    503,
    'The server has 100 requests under way; try again shortly.',
  ]);
  expect((await registry.ask('GET', '/health/live')).status).toBe(200);
  expect(await isReady()).toBe(false);

  const answers = await Promise.all(waiting);
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers.every(({ headers }) => headers.get('retry-after') !== null)).toBe(true);

  await blocker.release();
  await other.release();
  expect((await registry.ask('GET', path)).status).toBe(200);
  expect(await isReady()).toBe(true);
});

test('a statement that waits too long for a lock is given up, and its caller told to try again', async () => {
  await start();
  const { body } = await register();
  const blocker = registry.dataSource.createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('SET LOCAL statement_timeout = 0; LOCK TABLE client IN ACCESS EXCLUSIVE MODE');
  const answer = await registry.ask('GET', pathOf(body['client_id']));
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  await blocker.rollbackTransaction();
  await blocker.release();
  expect((await registry.ask('GET', pathOf(body['client_id']))).status).toBe(200);
});
