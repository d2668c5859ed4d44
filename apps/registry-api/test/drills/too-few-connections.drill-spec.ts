import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, recordFigure, startPostgres } from '@svc/test-servers';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

const BOOTSTRAP_TOKEN = 'bootstrap-token-of-the-tests-of-few-connections';

/** Three registries want 33. */
const CONNECTIONS = 14;

let server: PostgresServer;
let url: string;
const registries: RunningRegistry[] = [];
let path: string;

beforeAll(async () => {
  server = await startPostgres({ settings: { max_connections: String(CONNECTIONS) } });
  url = await server.createRegistryDatabase();
  for (let count = 0; count < 3; count += 1) await startRegistry();
  const { body } = await registries[0]!.ask('POST', '/client', { body: registration() });
  path = pathOf(body['client_id']);
}, 2 * DATABASE_START_MS);
afterAll(async () => {
  for (const registry of registries) await registry.close();
  await server.stop();
});

async function startRegistry(): Promise<void> {
  const name = `registry-${registries.length}`;
  registries.push(
    await runRegistry({
      DATABASE_URL: `${url}?application_name=${name}`,
      DATABASE_POOL_SIZE: '10',
      DATABASE_WAIT_SECONDS: '30',
      BOOTSTRAP_TOKEN,
      SECRET_PEPPER: BOOTSTRAP_TOKEN,
    }),
  );
}

/** Many callers of one registry, until `isOver`. @returns how often each status came */
async function call(registry: RunningRegistry, isOver: () => boolean): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const caller = async (index: number) => {
    while (!isOver()) {
      const { status } =
        index % 4 === 0
          ? await registry.ask('POST', '/client', { body: registration() })
          : await registry.ask('GET', path);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 20 }, async (_, index) => caller(index)));
  return statuses;
}

/** @returns what readiness said */
async function probe(registry: RunningRegistry, isOver: () => boolean): Promise<Set<unknown>> {
  const seen = new Set<unknown>();
  while (!isOver()) {
    seen.add((await registry.ask('GET', '/health/ready')).body['status']);
    await sleep(100);
  }
  return seen;
}

const calls = (statuses: ReadonlyMap<number, number>) =>
  [...statuses.values()].reduce((sum, count) => sum + count, 0);

test('registries that need more connections than available take turns: nothing fails, none starves', async () => {
  const until = performance.now() + 4_000;
  const isOver = () => performance.now() > until;
  const [statuses, readiness] = await Promise.all([
    Promise.all(registries.map(async (registry) => call(registry, isOver))),
    Promise.all(registries.map(async (registry) => probe(registry, isOver))),
  ]);
  for (const one of statuses) expect([...one.keys()].sort()).toEqual([200, 201]);
  for (const seen of readiness) expect(seen).toEqual(new Set(['ready']));
  const counts = statuses.map(calls);
  recordFigure('requests answered by each of three registries that share the connections', counts.join(', '));
  expect(Math.min(...counts)).toBeGreaterThan(Math.max(...counts) / 10);
});

test('one that starts later gets a share, too', async () => {
  let isOver = false;
  const earlier = registries.map(async (registry) => call(registry, () => isOver));
  await sleep(500);
  try {
    await startRegistry();
    const late = registries.at(-1)!;
    const until = performance.now() + 2_000;
    const statuses = await call(late, () => performance.now() > until);
    recordFigure('by a fourth that started under their load, in two seconds', String(calls(statuses)));
    expect([...statuses.keys()].sort()).toEqual([200, 201]);
  } finally {
    isOver = true;
  }
  for (const statuses of await Promise.all(earlier)) expect([...statuses.keys()].sort()).toEqual([200, 201]);
}, 120_000);
