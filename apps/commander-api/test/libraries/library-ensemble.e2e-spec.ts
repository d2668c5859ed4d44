import { rm } from 'node:fs/promises';
import { startTcpProxy, startZookeeperEnsemble, type ZookeeperEnsemble } from '@svc/test-servers';
import { readNodes } from './support/kazoo.js';
import { makeFolder } from './support/library-folder.js';
import { svccmd } from './support/svccmd.js';

/** Several batches, so that a load can be caught in their midst. */
const FILES = Object.fromEntries(
  Array.from({ length: 600 }, (_, index) => [`G${index % 9}/${index}.txt`, `${index} ${'x'.repeat(3_000)}`]),
);
const A_THIRD = 600_000;

let ensemble: ZookeeperEnsemble;
let folder: string;

beforeAll(async () => {
  [ensemble, folder] = await Promise.all([startZookeeperEnsemble(), makeFolder(FILES)]);
}, 180_000);

afterAll(async () => {
  await ensemble.stop();
  await rm(folder, { recursive: true });
});

/** Loads, and lets something happen in the midst of it; then, where the load says so, once more. */
async function loadThrough(path: string, fault: () => Promise<() => void>): Promise<void> {
  const servers = ensemble.addresses.split(',');
  const proxies = await Promise.all(servers.map(startTcpProxy));
  const environment = (urls: string) => ({
    SVCCMD_SOURCE_PATH: folder,
    SVCCMD_DESTINATION_URLS: urls,
    SVCCMD_DESTINATION_PATH: path,
    SVCCMD_DESTINATION_TIMEOUT: '60s',
  });
  const halfWay = Promise.race(proxies.map(async (proxy) => proxy.sent(A_THIRD, { stall: true })));
  let isRunning = true;
  const loading = svccmd(
    ['library', 'load'],
    environment(proxies.map(({ address }) => address).join(',')),
  ).finally(() => (isRunning = false));
  await Promise.race([halfWay, loading]);
  const mend = await fault();
  expect(isRunning).toBe(true);
  for (const proxy of proxies) proxy.resume();
  const { code, stderr } = await loading;
  mend();
  if (code !== 0) {
    expect(stderr).toContain('run the load again to complete it');
    const again = await svccmd(['library', 'load', '--wait', '60'], environment(ensemble.addresses));
    expect(again).toMatchObject({ code: 0 });
  }
  await Promise.all(proxies.map(async (proxy) => proxy.stop()));
  const nodes = await readNodes(ensemble.addresses, path);
  for (const [name, content] of Object.entries(FILES)) {
    expect(nodes.get(`${path}/${name}`)?.data).toBe(content);
  }
  expect(nodes.get(`${path}/.version.yaml`)?.data).toBe('2');
}

test('a load survives a leader that freezes, every node whole, the version raised once', async () => {
  await loadThrough('/frozen', async () => (await ensemble.freezeLeader()).thaw);
});

test('a load survives a restart of all three servers', async () => {
  await loadThrough('/restarted', async () => {
    await ensemble.restart();
    return () => undefined;
  });
});

// The last one: the server stays dead.
test('a load survives the death of the leader, every node whole, the version raised once', async () => {
  await loadThrough('/killed', async () => {
    await ensemble.killLeader();
    return () => undefined;
  });
});
