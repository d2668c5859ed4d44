import { checkLibrary, maxDataBytes } from '@svc/library-sync';
import { PLAIN_LOAD } from '@svc/library-sync/testing';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import zookeeperDriver from 'node-zookeeper-client';
import { ZookeeperLibraryStore } from '../src/index.js';
import { closeAll, connect, createNode, OPEN } from './support/clients.js';
import { loadFiles } from './support/load-files.js';

let zookeeper: ZookeeperServer;

beforeAll(async () => {
  zookeeper = await startZookeeper({ properties: { enforceQuota: 'true' } });
});

afterAll(async () => zookeeper.stop());
afterEach(closeAll);

const FENCE = '/fence';

test('the formula gives the exact maximum: one byte more breaks the connection', async () => {
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

test('data over a mebibyte rejects, and never throws synchronously', async () => {
  const client = await connect(zookeeper.address);
  const creating = createNode(client, '/beyond', 'x'.repeat(1_100_000));
  await expect(creating).rejects.toMatchObject({ reason: 'CONNECTION_LOSS' });
});

test('a library larger than the request limit is split into requests the server accepts', async () => {
  const options = { addresses: zookeeper.address, path: '/large', timeoutMs: 10_000 };
  const store = await ZookeeperLibraryStore.open(options);
  const files = new Map(Array.from({ length: 300 }, (_, index) => [`${index}.txt`, 'x'.repeat(4_500)]));
  expect(await loadFiles(store, files)).toMatchObject({ created: 300, bytes: 1_350_000, version: '2' });
  await store.close();
});

test('the check rejects exactly the characters that the server rejects', async () => {
  const client = await connect(zookeeper.address);
  // Each range's boundaries and their neighbours.
  const characters = [
    ...[0x01, 0x1f, 0x20, 0x7e, 0x7f, 0x9f, 0xa0, 0x3a, 0x5c, 0x17e, 0x301],
    ...[0xd7ff, 0xd800, 0xdfff, 0xe000, 0xf8ff, 0xf900, 0xffef, 0xfff0, 0xffff, 0x1f642],
  ].map((code) => String.fromCodePoint(code));
  for (const character of characters) {
    const path = `x${character}y.txt`;
    const { problems } = await checkLibrary([{ kind: 'file', path, data: Buffer.from('x') }], PLAIN_LOAD);
    const isRefusedByServer = await createNode(client, `/${path}`).then(
      () => false,
      ({ reason }: { reason: string }) => reason === 'BAD_ARGUMENTS',
    );
    expect({ character, isRefused: problems.some(({ code }) => code === 'name-characters') }).toEqual({
      character,
      isRefused: isRefusedByServer,
    });
  }
});

test('an invalid path rejects, and never throws synchronously', async () => {
  const client = await connect(zookeeper.address);
  for (const path of ['no-slash', '/double//slash', '/end/', '']) {
    await expect(createNode(client, path)).rejects.toMatchObject({ reason: 'BAD_ARGUMENTS' });
  }
  await expect(createNode(client, '/emoji-🙂')).rejects.toMatchObject({ reason: 'BAD_ARGUMENTS' });
});

test('an error code unknown to the driver is reported like any other', async () => {
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

test('a failed multi names the operation that failed', async () => {
  const client = await connect(zookeeper.address);
  await createNode(client, '/blame');
  const multi = client.multi([
    { type: 'create', path: '/blame/a', data: Buffer.alloc(0), acl: OPEN },
    { type: 'create', path: '/blame', data: Buffer.alloc(0), acl: OPEN },
    { type: 'create', path: '/blame/b', data: Buffer.alloc(0), acl: OPEN },
  ]);
  await expect(multi).rejects.toMatchObject({ reason: 'NODE_EXISTS', path: '/blame', index: 1 });
  expect(await client.getChildren('/blame')).toEqual([]);
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

test('an error names the operation and the node', async () => {
  const client = await connect(zookeeper.address);
  await expect(createNode(client, '/nowhere/child')).rejects.toThrow(/^create \/nowhere\/child: NO_NODE$/);
});

test('parents and children created concurrently arrive in order', async () => {
  const client = await connect(zookeeper.address);
  const paths = Array.from({ length: 50 }, (_, depth) => `/pipelined${'/x'.repeat(depth)}`);
  await Promise.all(paths.map(async (path) => createNode(client, path)));
  expect(await client.getData(paths.at(-1)!)).toBeDefined();
});

test('a callback that throws does not affect other requests', async () => {
  const client = await connect(zookeeper.address);
  const answers = Array.from({ length: 100 }, async (_, index) =>
    client.getData('/').then(() => {
      if (index % 2 === 0) throw new Error('thrown by a callback');
    }),
  );
  const outcomes = await Promise.allSettled(answers);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
});

test('a chain of fifty nodes is created in one multi', async () => {
  const client = await connect(zookeeper.address);
  const paths = Array.from({ length: 50 }, (_, depth) => `/chain${'/x'.repeat(depth)}`);
  await client.multi(paths.map((path) => ({ type: 'create', path, data: Buffer.alloc(0), acl: OPEN })));
  expect(await client.getData(paths.at(-1)!)).toBeDefined();
});

test('many nodes are read at once, in order, with undefined for missing ones', async () => {
  const client = await connect(zookeeper.address);
  await createNode(client, '/many', 'x');
  for (const name of ['a', 'b']) await createNode(client, `/many/${name}`, name);
  const data = await client.getDataOfAll(['/many/b', '/many/none', '/many', '/many/a']);
  const node = (text: string, childCount: number) => ({
    data: Buffer.from(text),
    version: 0,
    isEphemeral: false,
    childCount,
  });
  expect(data).toEqual([node('b', 0), undefined, node('x', 2), node('a', 0)]);
  const names = await client.getChildrenOfAll(['/many/a', '/many', '/many/none']);
  expect(names).toEqual([[], expect.arrayContaining(['a', 'b']), undefined]);
  expect([await client.getDataOfAll([]), await client.getChildrenOfAll([])]).toEqual([[], []]);
  await expect(client.getDataOfAll(['/many', 'many'])).rejects.toThrow(/^getData many: BAD_ARGUMENTS$/);
});

test('thirty thousand concurrent requests are all answered', async () => {
  const client = await connect(zookeeper.address, { sessionTimeoutMs: 20_000, timeoutMs: 20_000 });
  const answers = await Promise.all(Array.from({ length: 30_000 }, async () => client.getData('/')));
  expect(answers.every((node) => node !== undefined)).toBe(true);
});
