import { eventually, PostgresCluster, type PostgresServer } from '@svc/test-servers';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { type RunningRegistry, runRegistry } from '../running-registry.js';
import { EventStream } from './event-stream.js';
import { eventuallyRecorded } from './recorded-events.js';

let cluster: PostgresCluster;
/** Reads are served here. */
let standby: PostgresServer;
/** Commits wait for it, too. */
let other: PostgresServer;
let registry: RunningRegistry;

beforeAll(async () => {
  cluster = await PostgresCluster.start(2);
  [standby, other] = cluster.standbys as [PostgresServer, PostgresServer];
  registry = await runRegistry({ DATABASE_URL: cluster.url, DATABASE_READ_URL: cluster.urlAt(standby) });
  await create('first');
  await eventuallyRecorded(registry, 'kind=token_first_used', [{}]);
}, 2 * DATABASE_START_MS);
afterAll(async () => {
  await registry.close();
  await cluster.stop();
});

const create = async (name: string) =>
  (await registry.ask('POST', '/token', { body: { name, scopes: ['clients:read'] } })).status;

const headAt = async (server: PostgresServer) => {
  const statement = `SELECT head_seq || '-' || encode(head_mac, 'hex') AS head FROM security_event_chain`;
  const [row] = await cluster.query<{ head: string }>(server, statement);
  return row!.head;
};

/** Whether pages, which are read from the standby, begin with this event. */
const pageShows = async (id: string) => {
  const { body } = await registry.ask('GET', '/audit?limit=1');
  return (body['events'] as { seq: number }[])[0]!.seq === Number.parseInt(id, 10);
};

describe('while commits wait for a frozen standby, and another one shows what is not acknowledged', () => {
  let acknowledged: string;
  let pending: string;
  let write: Promise<number>;

  beforeAll(async () => {
    await cluster.synchronise(2);
    acknowledged = await headAt(cluster.primary);
    await other.freeze();
    write = create('pending');
    await eventually(async () => {
      pending = await headAt(standby);
      expect(pending).not.toBe(acknowledged);
      expect(await pageShows(pending)).toBe(true);
    });
    expect(await headAt(cluster.primary)).toBe(acknowledged);
    // Before the registry notices that writes hang.
    await expect(EventStream.open(registry, pending)).rejects.toThrow('503');
  });

  test('a stream begins after the last acknowledged event, does not end, and has the others once they are', async () => {
    const stream = await EventStream.open(registry);
    await stream.isOpenFor(2_500);
    expect(stream.text).toContain(`id: ${acknowledged}\n`);
    expect(stream.text).not.toContain('data:');
    expect(await headAt(cluster.primary)).toBe(acknowledged);
    const resumed = await EventStream.open(registry, acknowledged);
    await resumed.isOpenFor(1_500);
    expect(resumed.text).not.toContain('data:');
    expect(await write).toBe(503);
    await expect(EventStream.open(registry, pending)).rejects.toThrow('503');
    await other.thaw();
    for (const open of [stream, resumed]) {
      await open.until(`id: ${pending}\ndata: `);
      await open.close();
    }
  });
});
