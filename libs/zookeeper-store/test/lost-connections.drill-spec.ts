import { connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  recordFigure,
  startTcpProxy,
  startZookeeper,
  type TcpProxy,
  type ZookeeperServer,
} from '@svc/test-servers';
import { toAcl } from '../src/wire/access-rules.js';
import { closeAll, connect, createNode } from './support/clients.js';

/** Number of freezes. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

const SESSION_MS = 3_000;

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

/** ZooKeeper's own summary of watches (four-letter word `wchs`). */
async function watchesAt(port: number): Promise<string> {
  const socket = connectSocket(port, '127.0.0.1').end('wchs');
  return text(socket);
}

const reasonOf = (error: unknown) => (error as { reason?: string }).reason;

test('a read survives a lost connection', async () => {
  const client = await connect(proxy.address);
  const reads = Array.from({ length: 50 }, async () => client.getChildren('/'));
  proxy.cut();
  for (const read of await Promise.all(reads)) expect(read).toContain('zookeeper');
});

test('a write whose connection is lost fails with an unknown outcome', async () => {
  const client = await connect(proxy.address);
  proxy.stall();
  const write = createNode(client, '/lost-write').catch(reasonOf);
  proxy.cut();
  expect(await write).toBe('CONNECTION_LOSS');
});

test('a write without a connection fails at once instead of being queued', async () => {
  const client = await connect(proxy.address);
  proxy.stall();
  const first = createNode(client, '/first').catch(reasonOf);
  proxy.cut();
  expect(await first).toBe('CONNECTION_LOSS');
  expect(await createNode(client, '/second').catch(reasonOf)).toBe('CONNECTION_LOSS');
  proxy.resume();
  expect(await client.getData('/second')).toBeUndefined();
});

test(
  'a frozen server is noticed before the session expires',
  async () => {
    const noticedMs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const client = await connect(zookeeper.address, { sessionTimeoutMs: SESSION_MS, timeoutMs: 30_000 });
      zookeeper.freeze();
      const began = performance.now();
      expect(await createNode(client, `/silent-${round}`).catch(reasonOf)).toBe('CONNECTION_LOSS');
      noticedMs.push(performance.now() - began);
      zookeeper.thaw();
      await closeAll();
    }
    const seconds = `${(Math.max(...noticedMs) / 1000).toFixed(2)} s`;
    recordFigure(
      `server frozen ${ROUNDS} times, sessions of ${SESSION_MS / 1000} s: noticed after, at most`,
      seconds,
    );
    expect(Math.max(...noticedMs)).toBeLessThan(SESSION_MS);
  },
  20_000 + ROUNDS * 10_000,
);

test('a frozen server that recovers in time is used again', async () => {
  const client = await connect(zookeeper.address, { sessionTimeoutMs: 3_000 });
  zookeeper.freeze();
  const read = client.getData('/');
  await createNode(client, '/while-frozen').catch(() => undefined);
  zookeeper.thaw();
  expect(await read).toBeDefined();
});

test('an unanswered operation fails by its own deadline', async () => {
  const client = await connect(proxy.address, { sessionTimeoutMs: 20_000, timeoutMs: 1_000 });
  proxy.stall();
  expect(await createNode(client, '/late').catch(reasonOf)).toBe('OPERATION_TIMEOUT');
});

test('after the session has expired, every request fails with that reason', async () => {
  const client = await connect(proxy.address, { sessionTimeoutMs: 1_000, timeoutMs: 20_000 });
  await client.multi([
    { type: 'create', path: '/ephemeral', data: Buffer.alloc(0), acl: toAcl('open'), ephemeral: true },
  ]);
  proxy.stall();
  const other = await connect(zookeeper.address);
  while (await other.getData('/ephemeral')) await new Promise((resolve) => setTimeout(resolve, 100));
  // Sent after the connection is lost but before the client learns that the session has expired.
  const waiting = Array.from({ length: 50 }, async () => client.getData('/').catch(reasonOf));
  proxy.resume();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['expired']));
  await expect(createNode(client, '/after')).rejects.toThrow(
    `the session with ZooKeeper at ${proxy.address} expired`,
  );
});

test('when servers stay unreachable, the session ends and pending requests fail', async () => {
  const client = await connect(proxy.address, { timeoutMs: 1_500 });
  await proxy.stop();
  const reads = [client.getData('/'), client.getChildren('/')].map(async (read) => read.catch(reasonOf));
  expect(await Promise.all(reads)).toEqual(['lost', 'lost']);
  proxy = await startTcpProxy(zookeeper.address);
});

test('a server that comes back with an empty disk ends the session instead of hanging', async () => {
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

test('authenticated requests work right after a reconnect', async () => {
  const client = await connect(proxy.address, { auth: 'someone:secret' });
  await client.multi([{ type: 'create', path: '/mine', data: Buffer.from('x'), acl: toAcl('auth') }]);
  for (let round = 0; round < 5; round += 1) {
    const reads = Array.from({ length: 100 }, async () => client.getData('/mine'));
    proxy.cut();
    for (const node of await Promise.all(reads)) expect(node?.data.toString()).toBe('x');
  }
});

test('a session that ends before trying any server reports no response', async () => {
  await expect(connect(zookeeper.address, { timeoutMs: 0 })).rejects.toThrow(
    `ZooKeeper at ${zookeeper.address} cannot be reached (no response)`,
  );
});

test('close without a connection settles pending requests', async () => {
  const client = await connect(proxy.address);
  proxy.stall();
  proxy.cut();
  const read = client.getData('/').catch(reasonOf);
  await client.close();
  expect(await read).toBe('closed');
  expect(await createNode(client, '/after-close').catch(reasonOf)).toBe('closed');
});

test('reads set no watches, so a reconnect has none to restore', async () => {
  const client = await connect(proxy.address);
  // Together, the names exceed a request's limit.
  const names = Array.from({ length: 300 }, (_, index) => `/${index}-${'x'.repeat(4_000)}`);
  await Promise.all(names.map(async (name) => createNode(client, name)));
  await Promise.all(
    names.flatMap((name) => [client.getData(name), client.getChildren(name), client.getData(`${name}-none`)]),
  );
  expect(await watchesAt(zookeeper.port)).toMatch(/Total watches:0/);
  proxy.cut();
  expect(await client.getData(names[0]!)).toBeDefined();
});

test('close settles every request in flight', async () => {
  const client = await connect(zookeeper.address);
  const writes = Array.from({ length: 3_000 }, async (_, index) => createNode(client, `/closing-${index}`));
  const settled = Promise.allSettled(writes);
  await client.close();
  expect(await settled).toHaveLength(3_000);
});

test('when the server is killed during thousands of writes, each is reported written or unknown, and no reported write is lost', async () => {
  const own = await startZookeeper({ forceSync: true });
  try {
    const client = await connect(own.address, { sessionTimeoutMs: 20_000, timeoutMs: 20_000 });
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
    const present = new Set(await client.getChildren('/'));
    expect(written.filter((acknowledged, index) => acknowledged && !present.has(`n-${index}`))).toEqual([]);
    expect(written).toContain(false);
  } finally {
    await own.stop();
  }
});
