import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@svc/test-servers';
import { DATABASE_START_MS } from './on-both-databases.js';
import { ask, type RunningRegistry, runRegistry } from './running-registry.js';

/** More than may read at a time. */
const REQUESTS = 12;

/** Until the registry has started all of one token, whose turns last 200 ms. */
const ALL_STARTED_MS = 800;

/** Together with `ALL_STARTED_MS` shorter than a statement may wait for a lock. */
const WHILE_LOCKED_MS = 3_000;

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry();
}, DATABASE_START_MS);
afterAll(async () => registry.close());

async function newToken(limits: Readonly<Record<string, unknown>>): Promise<string> {
  const { body } = await registry.ask('POST', '/token', { body: { name: 'turns', ...limits } });
  return String(body['token']);
}

/** Reads the history of its own Clients only, which takes a search. */
const RESTRICTED = { scopes: ['clients:read'], selector: { team: 'shop' } };
const UNRESTRICTED = { scopes: ['clients:read', 'audit:read'] };

/** While no statement can read a table. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  const lock = registry.dataSource.createQueryRunner();
  await lock.startTransaction();
  await lock.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  try {
    return await work();
  } finally {
    await lock.rollbackTransaction();
    await lock.release();
  }
}

test.each([
  ['histories', '/client/shop/history', 'client_change', '/audit'],
  ['deleted Clients', '/deleted-clients', 'deleted_client', '/audit'],
  ['security events', '/audit', 'security_event', '/deleted-clients'],
])('however many %s one token reads, another does not wait for them', async (_name, path, table, other) => {
  const mine = await newToken(path === '/audit' ? UNRESTRICTED : RESTRICTED);
  const theirs = await newToken(UNRESTRICTED);
  const read = async (of: string, token: string) => (await ask(registry.url + of, 'GET', token)).status;
  expect(await read(other, theirs)).toBe(200);
  const reads: Promise<number>[] = [];
  await whileLocked(table, async () => {
    for (let index = 0; index < REQUESTS; index += 1) reads.push(read(path, mine));
    await sleep(ALL_STARTED_MS);
    const answered = read(other, theirs);
    expect(await Promise.race([answered, sleep(WHILE_LOCKED_MS, 'still waiting')])).toBe(200);
  });
  for (const status of await Promise.all(reads)) expect([200, 404]).toContain(status);
});

test.each([
  ['its exports', '/clients/export'],
  ['lists', '/client'],
])('beside other tokens, one reads one page of %s at a time', async (_name, path) => {
  const [mine, theirs] = [await newToken(UNRESTRICTED), await newToken(UNRESTRICTED)];
  const reads: Promise<unknown>[] = [];
  await whileLocked('client', async () => {
    const readOther = async () => ask(`${registry.url}/audit`, 'GET', theirs);
    // Work in the background waits for the table, too.
    const waiting = async () =>
      registry.dataSource.query<unknown[]>(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE '%WITH page AS (%'`,
      );
    await readOther();
    const headers = { authorization: `Bearer ${mine}` };
    for (let index = 0; index < 5; index += 1) reads.push(fetch(registry.url + path, { headers }));
    await eventually(async () => {
      await readOther();
      expect(await waiting()).toHaveLength(1);
    });
    await sleep(ALL_STARTED_MS);
    expect(await waiting()).toHaveLength(1);
  });
  await Promise.all(reads);
});
