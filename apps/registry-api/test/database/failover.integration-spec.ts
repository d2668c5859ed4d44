import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCluster, type PostgresServer } from '@svc/test-servers';
import { FollowedChanges } from '../changes/followed-changes.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

let cluster: PostgresCluster;
let standby: PostgresServer;
let registry: RunningRegistry;
let clientPath: string;

beforeAll(async () => {
  cluster = await PostgresCluster.start(1);
  standby = cluster.standbys[0]!;
  registry = await runRegistry({ DATABASE_URL: cluster.url, DATABASE_POOL_SIZE: '8' });
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  clientPath = pathOf(body['client_id']);
}, 2 * DATABASE_START_MS);
afterAll(async () => {
  await registry.close();
  await cluster.stop();
});

const register = async () => (await registry.ask('POST', '/client', { body: registration() })).status;

const ready = async () => (await registry.ask('GET', '/health/ready')).body;

/** Calls until a result is as wanted. @returns how long that took, in milliseconds */
async function until(isAsWanted: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isAsWanted())) await sleep(20);
  return performance.now() - start;
}

const linesWith = (message: string) =>
  registry
    .logged()
    .split('\n')
    .filter((line) => line.includes(message));

/** Lines of the log since the last call that are above `info`. */
let read = 0;
function newWarnings(): { level: string; msg: string }[] {
  const text = registry.logged().slice(read);
  read += text.length;
  const lines = text.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .filter(({ level }) => level !== 'info');
}

describe('an address that temporarily leads to a standby', () => {
  beforeAll(() => {
    newWarnings();
    cluster.pointTo(standby);
    cluster.endpoint.cut();
  });

  test('writes and reads are 503, and the registry is not ready', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, register));
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect((await registry.ask('GET', clientPath)).status).toBe(503);
    expect(await ready()).toMatchObject({ status: 'not ready', checks: { postgresql: 'down' } });
  });

  test('once it leads to the primary, everything is served again, without a connection to the standby', async () => {
    cluster.pointTo(cluster.primary);
    await until(async () => (await ready())['status'] === 'ready');
    const statuses = await Promise.all(Array.from({ length: 40 }, register));
    expect(new Set(statuses)).toEqual(new Set([201]));
  });

  test('the log says that it began and that it ended, with the reason and a count', () => {
    expect(newWarnings()).toMatchObject([
      { level: 'error', msg: 'the database is unavailable', reason: expect.any(String) },
      { level: 'warn', msg: 'the database is available again', failures: expect.any(Number) },
    ]);
    expect(linesWith('"stack"')).toEqual([]);
  });
});

describe('a primary whose synchronous standby is frozen', () => {
  beforeAll(async () => {
    await cluster.synchronise(1);
    await until(async () => (await register()) === 201);
    newWarnings();
    await standby.freeze();
  });
  afterAll(async () => cluster.synchronise(0));

  test('reads continue while writes wait, and the registry reports that it serves only reads', async () => {
    const writes = Array.from({ length: 20 }, register);
    let isWriting = true;
    void Promise.race(writes).finally(() => (isWriting = false));
    await sleep(500);
    const reads = await Promise.all(
      [clientPath, '/client', '/client/features'].map(async (path) => {
        const { status } = await registry.ask('GET', path);
        return { status, isWriting };
      }),
    );
    expect(reads).toEqual(Array(3).fill({ status: 200, isWriting: true }));
    expect(new Set(await Promise.all(writes))).toEqual(new Set([503]));
    expect(await ready()).toMatchObject({ status: 'degraded', checks: { postgresql: 'degraded' } });
    expect((await registry.ask('GET', '/health/ready')).status).toBe(200);
  });

  test('when it resumes, writes do, too', async () => {
    await standby.thaw();
    await until(async () => (await ready())['status'] === 'ready');
    expect(await register()).toBe(201);
    expect(newWarnings().map(({ msg }) => msg)).toEqual([
      'database writes are failing',
      'database writes succeed again',
    ]);
  });
});

describe('a failover to a standby that lacks the latest changes', () => {
  /** Cursors and ETags of changes that the standby has, and of those that it never received. */
  const kept: string[] = [];
  const lost: string[] = [];

  const rename = async (name: string, ifMatch?: string) =>
    registry.ask('PATCH', clientPath, {
      body: { client_name: name },
      ...(ifMatch !== undefined && { headers: { 'if-match': `"${ifMatch}"` } }),
    });
  const revision = async () =>
    (await registry.ask('GET', clientPath)).headers.get('etag')?.slice(1, -1) ?? '';
  const statusSince = async (since: string) =>
    (await registry.ask('GET', `/clients/changes?limit=1&since=${since}`)).status;

  beforeAll(async () => {
    for (let count = 0; count < 5; count += 1) {
      await rename(`kept ${count}`);
      kept.push(await revision());
    }
    await cluster.replayed(standby);
    await cluster.cutOff(standby);
    // More than a sequence skips after a crash, so that numbers are assigned again.
    for (let count = 0; count < 60; count += 1) {
      await rename(`lost ${count}`);
      lost.push(await revision());
    }
    await cluster.primary.halt('kill');
    const former = await cluster.promote(standby);
    await former.stop();
    cluster.pointTo(standby);
    cluster.endpoint.cut();
    await until(async () => (await ready())['status'] === 'ready');
    for (let count = 0; count < 100; count += 1) await rename(`new ${count}`);
  });

  test('numbers of lost changes are assigned again', async () => {
    const { body } = await registry.ask('GET', '/clients/changes?newest=100');
    const numbers = new Set((body['changes'] as { seq: number }[]).map(({ seq }) => seq));
    expect(lost.filter((position) => numbers.has(Number.parseInt(position, 10))).length).toBeGreaterThan(10);
  });

  test('a reader that saw a lost change gets 410, whichever it was; the others continue', async () => {
    expect(new Set(await Promise.all(lost.map(statusSince)))).toEqual(new Set([410]));
    expect(new Set(await Promise.all(kept.map(statusSince)))).toEqual(new Set([200]));
    await expect(
      FollowedChanges.open(registry, registry.token, { lastEventId: lost.at(-1)! }),
    ).rejects.toThrow('410 There is no such change');
  });

  test('the ETag of a lost state matches no other', async () => {
    const statuses = await Promise.all(lost.map(async (etag) => (await rename('Overwritten', etag)).status));
    expect(new Set(statuses)).toEqual(new Set([412]));
    expect((await rename('Current', await revision())).status).toBe(200);
  });
});
