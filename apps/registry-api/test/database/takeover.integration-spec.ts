import { eventually, PostgresCluster } from '@svc/test-servers';
import pg from 'pg';
import { ConnectionAttempts } from '../../src/database/connection-attempts.js';
import { SessionCheck } from '../../src/database/session-check.js';
import { TakeoverWatch } from '../../src/database/takeover-watch.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

/** Well below the 7 s after which a statement without a response fails. */
const SOON_MS = 6_000;

let cluster: PostgresCluster;
let registry: RunningRegistry;
beforeAll(async () => {
  cluster = await PostgresCluster.start(1);
  registry = await runRegistry({ DATABASE_URL: cluster.url, DATABASE_POOL_SIZE: '2' });
}, 2 * DATABASE_START_MS);
afterAll(async () => {
  await registry.close();
  await cluster.stop();
});

const register = async () => registry.ask('POST', '/client', { body: registration() });

test('a statement that takes seconds is not disturbed while its server takes writes', async () => {
  const { body } = await register();
  const session = new pg.Client(cluster.url);
  await session.connect();
  await session.query('BEGIN; LOCK TABLE client IN ACCESS EXCLUSIVE MODE');
  const read = registry.ask('GET', pathOf(body['client_id']));
  await session.query('SELECT pg_sleep(2.5)');
  await session.query('COMMIT');
  await session.end();
  expect((await read).status).toBe(200);
});

test('while statements take long, the registry looks for another server once a second', async () => {
  const session = new pg.Client(cluster.url);
  await session.connect();
  let looks = 0;
  const look = async () => {
    looks += 1;
    return Promise.resolve('primary');
  };
  const watch = new TakeoverWatch(
    look,
    () => 'primary',
    () => undefined,
  );
  watch.acquired(session);
  await session.query('SELECT pg_sleep(3.5)');
  watch.released(session);
  await session.end();
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThanOrEqual(3);
});

test('a server that takes no writes does not keep the registry from finding the one that does', async () => {
  const [standby, primary] = [cluster.standbys[0]!, cluster.primary].map(({ url }) => new URL(url));
  primary!.searchParams.set('sslmode', 'disable');
  const list = primary!.href.replace(primary!.host, `${standby!.host},${primary!.host}`);
  const check = new SessionCheck({}, new ConnectionAttempts({ readUrl: () => list }));
  expect(await check.primary()).toBeUndefined();
  await eventually(async () => expect(await check.primary()).toEqual(expect.any(String)));
});

test('requests that wait for a frozen primary are let go when a standby has taken over', async () => {
  const former = cluster.primary;
  await former.freeze();
  const began = performance.now();
  const waiting = Promise.all(Array.from({ length: 4 }, register));
  await cluster.promote(await cluster.mostAdvanced());
  cluster.pointTo(cluster.primary);
  await waiting;
  expect((await register()).status).toBe(201);
  expect(performance.now() - began).toBeLessThan(SOON_MS);
  await former.thaw();
  await former.stop();
});
