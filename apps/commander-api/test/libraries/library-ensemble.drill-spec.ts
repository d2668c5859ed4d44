import { rm } from 'node:fs/promises';
import {
  recordFigure,
  startTcpProxy,
  startZookeeperEnsemble,
  type ZookeeperEnsemble,
} from '@svc/test-servers';
import { readNodes } from './support/kazoo.js';
import { makeFolder } from './support/library-folder.js';
import { svccmd } from './support/svccmd.js';

/** Several batches, so that a load can be caught in their midst. */
const FILES = Object.fromEntries(
  Array.from({ length: 600 }, (_, index) => [`G${index % 9}/${index}.txt`, `${index} ${'x'.repeat(3_000)}`]),
);
const A_THIRD = 600_000;

/** How often each thing happens to the servers. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

/** More than a round takes on a busy machine. */
const ROUND_MS = 180_000;

let ensemble: ZookeeperEnsemble;
let folder: string;

beforeAll(async () => {
  [ensemble, folder] = await Promise.all([startZookeeperEnsemble(), makeFolder(FILES)]);
}, 180_000);

afterAll(async () => {
  await ensemble.stop();
  await rm(folder, { recursive: true });
});

/**
 * Runs a load and interferes with it; retries the load if its error says so.
 *
 * @returns how long it took until all was there, in seconds, and whether the load had to be run again
 */
async function loadThrough(
  path: string,
  fault: () => Promise<() => void>,
): Promise<{ seconds: number; isResumed: boolean }> {
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
  const began = performance.now();
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
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(proxies.map(async (proxy) => proxy.stop()));
  const nodes = await readNodes(ensemble.addresses, path);
  for (const [name, content] of Object.entries(FILES)) {
    expect(nodes.get(`${path}/${name}`)?.data).toBe(content);
  }
  expect(nodes.get(`${path}/.version.yaml`)?.data).toBe('2');
  return { seconds, isResumed: code !== 0 };
}

/** As often as wanted. @param name of the place in the cluster @param fault what happens amid the load */
async function repeat(name: string, fault: () => Promise<() => void>, afterwards?: () => Promise<void>) {
  const loads: Awaited<ReturnType<typeof loadThrough>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 0) await afterwards?.();
    loads.push(await loadThrough(`/${name.replace(' ', '-')}-${round}`, fault));
  }
  const resumed = loads.filter(({ isResumed }) => isResumed).length;
  const slowest = Math.max(...loads.map(({ seconds }) => seconds));
  recordFigure(`${name} amid a load: finished by itself, by a second run`, `${ROUNDS - resumed}, ${resumed}`);
  recordFigure(`${name}: all there, after at most`, `${slowest.toFixed(1)} s`);
  recordFigure(`${name}: nodes that were not whole, versions raised other than once`, '0, 0');
}

test(
  'a load survives a leader that freezes, every node whole, the version raised once',
  async () => repeat('leader frozen', async () => (await ensemble.freezeLeader()).thaw),
  ROUNDS * ROUND_MS,
);

test(
  'a load survives a restart of all three servers',
  async () =>
    repeat('all restarted', async () => {
      await ensemble.restart();
      return () => undefined;
    }),
  ROUNDS * ROUND_MS,
);

// The last one: the server stays dead.
test(
  'a load survives the death of the leader, every node whole, the version raised once',
  async () => {
    const kill = async () => {
      await ensemble.killLeader();
      return () => undefined;
    };
    await repeat('leader killed', kill, async () => ensemble.restart());
  },
  ROUNDS * ROUND_MS,
);
