import { maxDataBytes } from '@svc/library-sync';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import zookeeperDriver from 'node-zookeeper-client';
import { closeAll, connect, createNode, OPEN } from './support/clients.js';

let zookeeper: ZookeeperServer;

beforeAll(async () => {
  zookeeper = await startZookeeper({ properties: { enforceQuota: 'true' } });
}, 60_000);

afterAll(async () => zookeeper.stop());
afterEach(closeAll);

const FENCE = '/fence';

test('the formula names the largest node exactly: one byte more breaks the connection', async () => {
  const client = await connect(zookeeper.address);
  await createNode(client, FENCE);
  const create = async (path: string, more: number) =>
    client.multi([
      { type: 'check', path: FENCE },
      { type: 'create', path, data: Buffer.alloc(maxDataBytes(path.length, FENCE.length) + more), acl: OPEN },
    ]);
  await create('/largest', 0);
  await expect(create('/too-large', 1)).rejects.toMatchObject({ reason: 'CONNECTION_LOSS' });
  expect(await client.getData('/too-large')).toBeUndefined();
});

test('a path that makes no sense is a rejection, never a throw', async () => {
  const client = await connect(zookeeper.address);
  for (const path of ['no-slash', '/double//slash', '/end/', '']) {
    await expect(createNode(client, path)).rejects.toMatchObject({ reason: 'BAD_ARGUMENTS' });
  }
  await expect(createNode(client, '/emoji-🙂')).rejects.toMatchObject({ reason: 'BAD_ARGUMENTS' });
});

test('an error code that the driver does not know is an error like others', async () => {
  const client = await connect(zookeeper.address);
  await createNode(client, '/limited');
  await client.makePath('/zookeeper/quota/limited', OPEN);
  await createNode(
    client,
    '/zookeeper/quota/limited/zookeeper_limits',
    'count=-1,bytes=-1;byteHardLimit=-1;countHardLimit=2',
  );
  await createNode(client, '/zookeeper/quota/limited/zookeeper_stats', 'count=1,bytes=0');
  await createNode(client, '/limited/a');
  const outcomes: unknown[] = [];
  for (const name of ['b', 'c', 'd']) {
    outcomes.push(
      await createNode(client, `/limited/${name}`).catch((error: { reason: string }) => error.reason),
    );
  }
  expect(outcomes).toContain('QUOTA_EXCEEDED');
});

test('a multi that fails names the operation that was to blame', async () => {
  const client = await connect(zookeeper.address);
  await createNode(client, '/blame');
  const multi = client.multi([
    { type: 'create', path: '/blame/a', data: Buffer.alloc(0), acl: OPEN },
    { type: 'create', path: '/blame', data: Buffer.alloc(0), acl: OPEN },
    { type: 'create', path: '/blame/b', data: Buffer.alloc(0), acl: OPEN },
  ]);
  await expect(multi).rejects.toMatchObject({ reason: 'NODE_EXISTS', path: '/blame', index: 1 });
  expect((await client.getChildren('/blame'))?.names).toEqual([]);
});

test('a node without data reads as empty', async () => {
  const client = await connect(zookeeper.address);
  const driver = zookeeperDriver.createClient(zookeeper.address);
  await new Promise<void>((resolve) => {
    driver.once('connected', resolve);
    driver.connect();
  });
  await new Promise((resolve) => driver.create('/null-data', resolve));
  driver.close();
  expect((await client.getData('/null-data'))?.data).toEqual(Buffer.alloc(0));
});

test('a chain of fifty nodes is made in one multi', async () => {
  const client = await connect(zookeeper.address);
  const paths = Array.from({ length: 50 }, (_, depth) => `/chain${'/x'.repeat(depth)}`);
  await client.multi(paths.map((path) => ({ type: 'create', path, data: Buffer.alloc(0), acl: OPEN })));
  expect(await client.getData(paths.at(-1)!)).toBeDefined();
});

test('twenty thousand requests at once are all answered', async () => {
  const client = await connect(zookeeper.address);
  const answers = await Promise.all(Array.from({ length: 20_000 }, async () => client.getData('/')));
  expect(answers.every((node) => node !== undefined)).toBe(true);
});
