import { LibraryLockedError, type LoadOptions, type LoadReport } from '@svc/library-sync';
import { startTcpProxy, startZookeeper, type TcpProxy, type ZookeeperServer } from '@svc/test-servers';
import { ZookeeperLibraryStore } from '../src/index.js';
import { closeAll, connect } from './support/clients.js';
import { loadFiles } from './support/load-files.js';

/** Several batches, so that a load can be interrupted between them. */
const FILES = new Map(
  Array.from({ length: 600 }, (_, index) => [`f${index}.txt`, `${index} ${'x'.repeat(3_000)}`]),
);
const A_THIRD = 600_000;

let zookeeper: ZookeeperServer;
let proxy: TcpProxy;
let root = '';
let counter = 0;
const opened: ZookeeperLibraryStore[] = [];

beforeAll(async () => {
  zookeeper = await startZookeeper();
}, 120_000);

afterAll(async () => zookeeper.stop());

beforeEach(async () => {
  proxy = await startTcpProxy(zookeeper.address);
  root = `/faults-${(counter += 1)}`;
});

afterEach(async () => {
  await Promise.all([...opened.splice(0).map(async (store) => store.close()), closeAll()]);
  await proxy.stop();
});

async function open(addresses: string, sessionTimeoutMs = 20_000): Promise<ZookeeperLibraryStore> {
  const options = { addresses, path: root, timeoutMs: 20_000, sessionTimeoutMs };
  const store = await ZookeeperLibraryStore.open(options);
  opened.push(store);
  return store;
}

const load = async (store: ZookeeperLibraryStore, options: Partial<LoadOptions> = {}): Promise<LoadReport> =>
  loadFiles(store, FILES, options);

/** Another client's view, in which every file must be complete. @returns the number of files and the version */
async function seen(): Promise<{ files: number; version: string | undefined }> {
  const client = await connect(zookeeper.address);
  let files = 0;
  for (const [path, text] of FILES) {
    const node = await client.getData(`${root}/${path}`);
    if (!node) continue;
    expect(node.data.toString()).toBe(text);
    files += 1;
  }
  return { files, version: (await client.getData(`${root}/.version.yaml`))?.data.toString() };
}

test('a load whose session expires stops writing and says why, and the next load completes it', async () => {
  const halfWay = proxy.sent(A_THIRD, { stall: true });
  // A short session, so that it expires quickly.
  const loading = load(await open(proxy.address, 3_000)).catch((error: unknown) => error);
  await halfWay;
  const lock = `/svccmd/libraries/${root.slice(1)}/lock`;
  const watcher = await connect(zookeeper.address);
  while (await watcher.getData(lock)) await new Promise((resolve) => setTimeout(resolve, 50));
  proxy.resume();
  const failure = await loading;
  expect(failure).toMatchObject({
    name: 'IncompleteLoadError',
    message: expect.stringMatching(
      new RegExp(
        `^the load stopped after \\d+ of 600 changes: the session with ZooKeeper at ${proxy.address} expired; run the load again to complete it$`,
      ),
    ),
    cause: { name: 'StoreUnreachableError' },
  });
  const before = await seen();
  expect(before.version).toBeUndefined();
  expect(before.files).toBeLessThan(600);
  expect(await load(await open(zookeeper.address))).toMatchObject({
    created: 600 - before.files,
    version: '2',
  });
  expect(await seen()).toEqual({ files: 600, version: '2' });
});

test('a load whose connection is cut repeatedly continues, and increments the version once', async () => {
  const store = await open(proxy.address);
  const loading = load(store);
  for (let cut = 0; cut < 3; cut += 1) {
    await Promise.race([proxy.sent(A_THIRD / 3), loading]);
    proxy.cut();
  }
  expect(await loading).toMatchObject({ created: 600, version: '2' });
  expect(await seen()).toEqual({ files: 600, version: '2' });
});

test('a node raised above the versions of its predecessor is raised once, however often the connection is cut', async () => {
  const text = 'x'.repeat(3_000);
  await loadFiles(await open(zookeeper.address), new Map([['a.txt', text]]));
  const client = await connect(zookeeper.address);
  const path = `${root}/a.txt`;
  for (let version = 0; version < 600; version += 50) {
    const again = Array.from({ length: 50 }, (_, index) => version + index);
    const data = Buffer.from(text);
    await client.multi(again.map((one) => ({ type: 'setData', path, data, version: one })));
  }
  await loadFiles(await open(zookeeper.address), new Map([['b.txt', text]]));

  const loading = loadFiles(await open(proxy.address), new Map([['a.txt', 'new'.repeat(1_000)]]));
  for (let cut = 0; cut < 3; cut += 1) {
    await Promise.race([proxy.sent(A_THIRD / 3), loading]);
    proxy.cut();
  }
  expect(await loading).toMatchObject({ created: 1, deleted: 1, version: '4' });
  expect(await client.getData(path)).toMatchObject({ version: 601, data: Buffer.from('new'.repeat(1_000)) });
});

test('during a load a second one fails naming the first, and one that waits has nothing left to do', async () => {
  const halfWay = proxy.sent(A_THIRD, { stall: true });
  const first = load(await open(proxy.address));
  await halfWay;
  const store = await open(zookeeper.address);
  const refused = load(store);
  await expect(refused).rejects.toThrow(LibraryLockedError);
  await expect(refused).rejects.toThrow(
    /^another load is running: the lock is held by a test since \S+; wait for it to end, or load with --wait$/,
  );
  const second = load(store, { waitMs: 20_000 });
  proxy.resume();
  expect(await first).toMatchObject({ created: 600, version: '2' });
  expect(await second).toMatchObject({ changed: false, unchanged: 600 });
  expect(await seen()).toEqual({ files: 600, version: '2' });
});
