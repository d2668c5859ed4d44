import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { recordFigure, startTcpProxy, startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { readNodes } from './support/kazoo.js';
import { makeFolder } from './support/library-folder.js';
import { startSvccmd, svccmd } from './support/svccmd.js';

/**
 * A loader is killed at so many points of its way. Each costs two runs of the program, so there are few by default:
 * `LIBRARY_KILL_POINTS=50 npm test -- e2e library-kills` tries fifty. The seed is part of the test's name;
 * `LIBRARY_KILL_SEED` has the same points again.
 */
const POINTS = Number(process.env['LIBRARY_KILL_POINTS'] ?? 4);
const SEED = Number(process.env['LIBRARY_KILL_SEED'] ?? Math.floor(Math.random() * 1e6));

/** More than a point takes on a busy machine. */
const POINT_MS = 15_000;

/** Four batches and what comes before and after them. */
const BEFORE = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => [`F${index % 7}/${index}.txt`, `${index} ${'x'.repeat(1_000)}`]),
);
/** Some are gone, some have changed, some are new, by the time the next load comes. */
const AFTER = {
  ...Object.fromEntries(Object.entries(BEFORE).filter((_, index) => index % 5 !== 0)),
  ...Object.fromEntries(
    Object.keys(BEFORE).flatMap((path, index) => (index % 7 === 1 ? [[path, 'new']] : [])),
  ),
  'New/file.txt': 'new',
};
/** Somewhat less than a load sends: each is killed before it is done. */
const BYTES = 325_000;

let zookeeper: ZookeeperServer;
let folder: string;
let after: string;

beforeAll(async () => {
  [zookeeper, folder, after] = await Promise.all([startZookeeper(), makeFolder(BEFORE), makeFolder(AFTER)]);
}, 120_000);

afterAll(async () => {
  await zookeeper.stop();
  await Promise.all([folder, after].map(async (one) => rm(one, { recursive: true, force: true })));
});

/** From 0 to 1, the same for the same seed and index (mulberry32). */
function random(index: number): number {
  let state = (SEED + index * 0x6d2b79f5) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}

const environment = (urls: string, path: string) => ({
  SVCCMD_SOURCE_PATH: folder,
  SVCCMD_DESTINATION_URLS: urls,
  SVCCMD_DESTINATION_PATH: path,
  SVCCMD_DESTINATION_TIMEOUT: '30s',
});

async function killAfter(bytes: number, path: string): Promise<void> {
  const proxy = await startTcpProxy(zookeeper.address);
  const reached = proxy.sent(bytes, { stall: true });
  const child = startSvccmd(['library', 'load'], environment(proxy.address, path));
  const ended = once(child, 'exit');
  await Promise.race([reached, ended]);
  child.kill('SIGKILL');
  // By the signal: it was not done before.
  expect(await ended).toEqual([null, 'SIGKILL']);
  await proxy.stop();
}

async function filesAt(
  path: string,
): Promise<{ files: Record<string, string>; version: string | undefined }> {
  const nodes = await readNodes(zookeeper.address, path);
  const files: Record<string, string> = {};
  for (const [name, { data }] of nodes) {
    if (name.endsWith('.txt')) files[name.slice(path.length + 1)] = data;
  }
  return { files, version: nodes.get(`${path}/.version.yaml`)?.data };
}

test(
  `a load killed at any of ${POINTS} points (seed ${SEED}) leaves whole nodes, and the next one makes all well`,
  async () => {
    const places = Array.from({ length: POINTS }, (_, index) => `/kill-${index}`);
    const versions: (string | undefined)[] = [];
    for (const [index, path] of places.entries()) {
      await killAfter(Math.ceil(random(index) * BYTES), path);
      const { files, version } = await filesAt(path);
      for (const [name, data] of Object.entries(files)) expect(data).toBe(BEFORE[name]);
      // Incremented last: consumers that see the new version see the whole load.
      if (version !== undefined) expect(Object.keys(files)).toHaveLength(300);
      versions.push(version);
    }
    // The library has changed by the time the next load comes.
    await rm(folder, { recursive: true });
    await rename(after, folder);
    for (const [index, path] of places.entries()) {
      const next = await svccmd(['library', 'load', '--wait', '60'], environment(zookeeper.address, path));
      expect(next).toMatchObject({ code: 0 });
      const version = versions[index] === undefined ? '2' : '3';
      expect(await filesAt(path)).toEqual({ files: AFTER, version });
    }
    const raised = versions.filter((version) => version !== undefined).length;
    recordFigure('a load killed at random points of its way', `${POINTS} times`);
    recordFigure('before, after its version was raised', `${POINTS - raised}, ${raised}`);
    recordFigure('nodes that were not whole, next loads that did not make all well', '0, 0');
  },
  60_000 + POINTS * POINT_MS,
);
