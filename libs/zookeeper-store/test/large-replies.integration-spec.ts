import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { ZookeeperLibraryStore } from '../src/index.js';
import { closeAll, connect, createNode, OPEN } from './support/clients.js';
import { GET_CHILDREN, type ScriptedServer, startScriptedServer } from './support/scripted-server.js';
import { ints, text } from './support/wire-fields.js';

const MEGABYTE = 1_000_000;

let zookeeper: ZookeeperServer;
let scripted: ScriptedServer | undefined;
let store: ZookeeperLibraryStore | undefined;

beforeAll(async () => {
  zookeeper = await startZookeeper();
});

afterAll(async () => zookeeper.stop());

afterEach(async () => {
  await Promise.all([closeAll(), store?.close(), scripted?.stop()]);
  [store, scripted] = [undefined, undefined];
});

test('an oversized reply fails only its request, and the connection survives', async () => {
  let connections = 0;
  scripted = await startScriptedServer((request) => {
    connections = request.connection;
    if (request.code === GET_CHILDREN) request.reply(0, ints(1), text('x'.repeat(5 << 20)));
    else request.reply(-101);
  });
  const client = await connect(scripted.address);
  const reads = [client.getData('/a'), client.getChildren('/large'), client.getData('/b')];
  expect(await Promise.allSettled(reads)).toEqual([
    { status: 'fulfilled', value: undefined },
    {
      status: 'rejected',
      reason: expect.objectContaining({ message: 'getChildren /large: REPLY_TOO_LARGE' }),
    },
    { status: 'fulfilled', value: undefined },
  ]);
  expect(await client.getData('/c')).toBeUndefined();
  expect(connections).toBe(1);
});

test('nodes too large for a single reply are read in smaller groups', async () => {
  // On a busy machine, writing 16 MB may outlast the other tests' short session.
  const client = await connect(zookeeper.address, { sessionTimeoutMs: 30_000, timeoutMs: 60_000 });
  const paths = Array.from({ length: 16 }, (_, index) => `/large-${index}`);
  for (const path of paths) await createNode(client, path, path.at(-1)!.repeat(MEGABYTE));
  const found = await client.getDataOfAll(paths);
  const shapes = found.map((node) => node && node !== 'no-auth' && [node.data.length, node.data[0]]);
  expect(shapes).toEqual(paths.map((path) => [MEGABYTE, path.charCodeAt(path.length - 1)]));
});

test('an oversized node is named, with the setting to raise', async () => {
  const client = await connect(zookeeper.address);
  await client.makePath('/small/b.txt', OPEN);
  await createNode(client, '/small/a.txt', 'x'.repeat(10_000));
  const options = { addresses: zookeeper.address, path: '/small', timeoutMs: 10_000 };
  store = await ZookeeperLibraryStore.open({ ...options, maxReplyBytes: 8_000 });
  await expect(store.readTree(() => undefined)).rejects.toMatchObject({
    name: 'StoreRefusedError',
    message:
      'the reply to getData /small/a.txt is larger than destination.max_reply; raise it if the node is meant to be that large',
  });
  await expect(ZookeeperLibraryStore.open({ ...options, maxReplyBytes: 100 })).rejects.toThrow(
    /^max_reply must be at least 1024 bytes$/,
  );
});
