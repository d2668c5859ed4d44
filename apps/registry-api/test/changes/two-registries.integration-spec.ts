import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastestOf, type PostgresServer, startPostgres } from '@svc/test-servers';
import { FULL_VIEW } from '../../src/changes/feed-view.js';
import { ClientStore } from '../../src/clients/client.store.js';
import { inTransaction } from '../../src/database/transaction.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { registration, type RunningRegistry, runRegistry } from '../running-registry.js';
import { FollowedChanges } from './followed-changes.js';

/**
 * Polling alone takes nearly a second for each change but the first: each is made just after the poll that brought the
 * one before it.
 */
const BY_NOTIFICATION_MS = 500;

/** How long a shutdown would take that waited for the readers of streams. */
const SHUTDOWN_DEADLINE_MS = 30_000;

let server: PostgresServer;
let environment: Readonly<Record<string, string>>;
let here: RunningRegistry;
let there: RunningRegistry;
beforeAll(async () => {
  server = await startPostgres();
  environment = {
    DATABASE_URL: await server.createRegistryDatabase(),
    BOOTSTRAP_TOKEN: randomBytes(32).toString('base64url'),
  };
  here = await runRegistry(environment);
  there = await runRegistry(environment);
}, DATABASE_START_MS);
afterAll(async () => {
  await here.close();
  await there.close();
  await server.stop();
});

const follow = async (registry: RunningRegistry) => FollowedChanges.open(registry, registry.token);
const register = async (registry: RunningRegistry) =>
  (await registry.ask('POST', '/client', { body: registration() })).status;

/** How long a change took from one registry to a stream of the other, in milliseconds: the fastest of some. */
async function fastestDelay(stream: FollowedChanges): Promise<number> {
  const delay = async () => {
    const seen = stream.changes.length;
    const began = Date.now();
    await register(here);
    await stream.arrived(seen + 1);
    return Date.now() - began;
  };
  await delay();
  return fastestOf(5, delay);
}

/** Connections of both registries that wait for notifications. */
const links = async () =>
  here.dataSource.query<{ pid: number }[]>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'svc-registry-feed' AND datname = current_database()
     AND state = 'idle'`,
  );
const bothLinked = async () => {
  while ((await links()).length < 2) await sleep(20);
};

test('a change reaches the streams of every registry at once', async () => {
  await bothLinked();
  const streams = [await follow(here), await follow(there)] as const;
  expect(await fastestDelay(streams[1])).toBeLessThan(BY_NOTIFICATION_MS);
  await streams[0].arrived(streams[1].changes.length);
  expect(streams[0].seqs).toEqual(streams[1].seqs);
  for (const stream of streams) stream.close();
});

test('changes of a transaction are sent when it commits, and only then', async () => {
  const stream = await follow(there);
  const store = here.service.app.get(ClientStore, { strict: false });
  const [{ client_id: clientId }] = (await here.ask('GET', '/client?limit=1')).body['clients'] as [
    { client_id: string },
  ];
  const disable = async (fails: boolean) =>
    inTransaction(here.dataSource, async (transaction) => {
      const before = await store.find(clientId, FULL_VIEW);
      if (!before) throw new Error('it is gone');
      const actor = { id: 'a', name: 'a', address: '::1', ...FULL_VIEW };
      await store.apply([{ kind: 'disabled', before }], new Date(), actor, transaction);
      await sleep(100);
      expect(stream.changes).toEqual([]);
      if (fails) throw new Error('it failed');
    });
  await expect(disable(true)).rejects.toThrow('it failed');
  await disable(false);
  await stream.arrived(1);
  expect(stream.changes).toMatchObject([{ kind: 'disabled', client_id: clientId }]);
  stream.close();
});

test('without a connection for notifications, changes are found by polling; it reconnects', async () => {
  const stream = await follow(there);
  const cut = await links();
  await here.dataSource.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid', [
    cut.map(({ pid }) => pid),
  ]);
  await register(here);
  await stream.arrived(1);
  await bothLinked();
  expect(await fastestDelay(stream)).toBeLessThan(BY_NOTIFICATION_MS);
  stream.close();
});

test.each(['stop', 'kill'] as const)(
  'streams outlive an outage of PostgreSQL (%s) and go on where they were',
  async (how) => {
    const streams = [await follow(here), await follow(there)];
    await register(here);
    await Promise.all(streams.map(async (stream) => stream.arrived(1)));
    await server.halt(how);
    expect(await register(here)).toBe(503);
    await sleep(1_500);
    await server.startAgain();
    while ((await register(here)) !== 201) await sleep(50);
    await Promise.all(streams.map(async (stream) => stream.arrived(2)));
    for (const stream of streams) {
      expect(stream.changes).toHaveLength(2);
      stream.close();
    }
    await bothLinked();
  },
);

test('on shutdown streams end at once and in order; their readers continue at another registry', async () => {
  const leaving = await runRegistry(environment);
  const streams = await Promise.all(
    Array.from({ length: 20 }, async () => FollowedChanges.open(leaving, here.token)),
  );
  await register(here);
  await Promise.all(streams.map(async (stream) => stream.arrived(1)));
  const began = Date.now();
  await leaving.close();
  expect(Date.now() - began).toBeLessThan(SHUTDOWN_DEADLINE_MS / 3);
  await Promise.all(streams.map(async (stream) => stream.ended()));
  expect(streams.every(({ response }) => response.complete)).toBe(true);
  await register(here);
  const lastEventId = String(streams[0]?.lastEventId);
  const again = await FollowedChanges.open(there, there.token, { lastEventId });
  expect(await again.arrived(1)).toHaveLength(1);
  again.close();
});
