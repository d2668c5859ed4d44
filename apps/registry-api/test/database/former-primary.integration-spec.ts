import { randomBytes } from 'node:crypto';
import { PostgresCluster } from '@svc/test-servers';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

let cluster: PostgresCluster;
/** Has sessions with the former primary. */
let registry: RunningRegistry;
/** Has sessions with its successor only. */
let other: RunningRegistry;
let stopFormer: () => Promise<void>;

const BOOTSTRAP_TOKEN = randomBytes(32).toString('hex');

beforeAll(async () => {
  cluster = await PostgresCluster.start(1);
  registry = await runRegistry({ DATABASE_URL: cluster.url, DATABASE_POOL_SIZE: '4', BOOTSTRAP_TOKEN });
  // The pool opens its connections.
  await Promise.all(Array.from({ length: 20 }, async () => registry.ask('GET', '/client')));
  const [standby] = cluster.standbys;
  await cluster.replayed(standby!);
  const former = await cluster.promote(standby!);
  stopFormer = async () => former.stop();
  cluster.pointTo(standby!);
  other = await runRegistry({ DATABASE_URL: cluster.url, BOOTSTRAP_TOKEN });
}, 2 * DATABASE_START_MS);
afterAll(async () => {
  await registry.close();
  await other.close();
  await stopFormer();
  await cluster.stop();
});

test('a reader of the feed that knows the newest change need not start over', async () => {
  const { body } = await other.ask('POST', '/client', { body: registration() });
  const path = pathOf(body['client_id']);
  const etag = (await other.ask('GET', path)).headers.get('etag')!.slice(1, -1);
  expect((await registry.ask('GET', path)).status).toBe(404);
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => registry.ask('GET', `/clients/changes?since=${etag}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  // The sessions with the former primary are gone.
  const reads = await Promise.all(Array.from({ length: 8 }, async () => registry.ask('GET', path)));
  expect(reads.map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test('a change that never existed is gone, too', async () => {
  const { body } = await other.ask('GET', '/clients/changes?newest=1');
  const known = String(body['last_seq']);
  const unknown = known.replace(/^\d+/, (seq) => String(Number(seq) + 1_000_000));
  expect((await registry.ask('GET', `/clients/changes?since=${known}`)).status).toBe(200);
  expect((await registry.ask('GET', `/clients/changes?since=${unknown}`)).status).toBe(410);
});
