import { startTcpProxy, startZookeeper, type TcpProxy, type ZookeeperServer } from '@svc/test-servers';
import { toAcl } from '../src/access-rules.js';
import { closeAll, connect, createNode } from './support/clients.js';

let zookeeper: ZookeeperServer;
let proxy: TcpProxy;

beforeAll(async () => {
  zookeeper = await startZookeeper();
}, 60_000);

afterAll(async () => zookeeper.stop());

beforeEach(async () => {
  proxy = await startTcpProxy(zookeeper.address);
});

afterEach(async () => {
  await closeAll();
  await proxy.stop();
});

const reasonOf = (error: unknown) => (error as { reason?: string }).reason;

test('a read survives a lost connection', async () => {
  const client = await connect(proxy.address);
  const reads = Array.from({ length: 50 }, async () => client.getChildren('/'));
  proxy.cut();
  for (const read of await Promise.all(reads)) expect(read?.names).toContain('zookeeper');
});

test('a write whose connection is lost says so: its outcome is unknown', async () => {
  const client = await connect(proxy.address);
  proxy.stall();
  const write = createNode(client, '/lost-write').catch(reasonOf);
  proxy.cut();
  expect(await write).toBe('CONNECTION_LOSS');
});

test('a write while there is no connection fails at once instead of waiting its turn', async () => {
  const client = await connect(proxy.address);
  proxy.stall();
  const first = createNode(client, '/first').catch(reasonOf);
  proxy.cut();
  expect(await first).toBe('CONNECTION_LOSS');
  expect(await createNode(client, '/second').catch(reasonOf)).toBe('CONNECTION_LOSS');
  proxy.resume();
  expect(await client.getData('/second')).toBeUndefined();
});

test('a server that falls silent is noticed before the session is over', async () => {
  const client = await connect(proxy.address, { sessionTimeoutMs: 3_000, timeoutMs: 30_000 });
  proxy.stall();
  expect(await createNode(client, '/silent').catch(reasonOf)).toBe('CONNECTION_LOSS');
});

test('a frozen server that wakes up in time is used again', async () => {
  const client = await connect(zookeeper.address, { sessionTimeoutMs: 3_000 });
  zookeeper.freeze();
  const read = client.getData('/');
  await createNode(client, '/while-frozen').catch(() => undefined);
  zookeeper.thaw();
  expect(await read).toBeDefined();
});

test('an operation that gets no answer ends by its own deadline', async () => {
  const client = await connect(proxy.address, { sessionTimeoutMs: 20_000, timeoutMs: 1_000 });
  proxy.stall();
  expect(await createNode(client, '/late').catch(reasonOf)).toBe('OPERATION_TIMEOUT');
});

test('after a session expired everything is refused with that reason', async () => {
  const client = await connect(proxy.address, { sessionTimeoutMs: 1_000, timeoutMs: 20_000 });
  await client.multi([
    { type: 'create', path: '/ephemeral', data: Buffer.alloc(0), acl: toAcl('open'), ephemeral: true },
  ]);
  proxy.stall();
  const other = await connect(zookeeper.address);
  while (await other.getData('/ephemeral')) await new Promise((resolve) => setTimeout(resolve, 100));
  const waiting = client.getData('/').catch(reasonOf);
  proxy.resume();
  expect(await waiting).toBe('expired');
  expect(await createNode(client, '/after').catch(reasonOf)).toBe('expired');
});

test('servers that stay away end the session, and all that waits for them', async () => {
  const client = await connect(proxy.address, { timeoutMs: 1_500 });
  await proxy.stop();
  const reads = [client.getData('/'), client.getChildren('/')].map(async (read) => read.catch(reasonOf));
  expect(await Promise.all(reads)).toEqual(['lost', 'lost']);
  proxy = await startTcpProxy(zookeeper.address);
});

test('a server that comes back with an empty disk is given up, not waited for without end', async () => {
  const own = await startZookeeper();
  try {
    const client = await connect(own.address, { timeoutMs: 3_000 });
    for (let index = 0; index < 20; index += 1) await createNode(client, `/node-${index}`);
    await own.restart({ empty: true });
    expect(await client.getData('/node-1').catch(reasonOf)).toMatch(/lost|expired/);
    const next = await connect(own.address);
    expect(await next.getData('/node-1')).toBeUndefined();
  } finally {
    await own.stop();
  }
});

test('what needs authentication works right after a reconnect', async () => {
  const client = await connect(proxy.address, { auth: 'someone:secret' });
  await client.multi([{ type: 'create', path: '/mine', data: Buffer.from('x'), acl: toAcl('auth') }]);
  for (let round = 0; round < 5; round += 1) {
    const reads = Array.from({ length: 100 }, async () => client.getData('/mine'));
    proxy.cut();
    for (const node of await Promise.all(reads)) expect(node?.data.toString()).toBe('x');
  }
});

test('close settles everything that is under way', async () => {
  const client = await connect(zookeeper.address);
  const writes = Array.from({ length: 3_000 }, async (_, index) => createNode(client, `/closing-${index}`));
  const settled = Promise.allSettled(writes);
  await client.close();
  expect(await settled).toHaveLength(3_000);
});

test('when the server is killed among thousands of writes, each is told written or unknown, and none told is lost', async () => {
  const own = await startZookeeper({ forceSync: true });
  try {
    const client = await connect(own.address);
    const outcomes = Array.from({ length: 3_000 }, async (_, index) =>
      createNode(client, `/n-${index}`).then(
        () => true,
        () => false,
      ),
    );
    await outcomes[200];
    await own.kill();
    const written = await Promise.all(outcomes);
    await own.restart();
    const present = new Set((await client.getChildren('/'))?.names);
    expect(written.filter((acknowledged, index) => acknowledged && !present.has(`n-${index}`))).toEqual([]);
    expect(written).toContain(false);
  } finally {
    await own.stop();
  }
});
