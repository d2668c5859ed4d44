import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import {
  eventually,
  startTcpProxy,
  startZookeeper,
  type TcpProxy,
  type ZookeeperServer,
} from '@svc/test-servers';
import { readNodes } from './support/kazoo.js';
import { makeFolder } from './support/library-folder.js';
import { startSvccmd, svccmd } from './support/svccmd.js';

/** Enough for many batches: a thousand files of some kilobytes. */
const COUNT = 1_000;
const FILES = Object.fromEntries(
  Array.from({ length: COUNT }, (_, index) => [
    `Parsers/Group${index % 60}/${index}.yaml`,
    `define:\n  name: "${index}"\n  text: ${'x'.repeat(3_000)}\n`,
  ]),
);
/** About a third of what a load sends. */
const A_THIRD = 1_000_000;

let zookeeper: ZookeeperServer;
let proxy: TcpProxy;
let folder: string;

beforeAll(async () => {
  // Writes survive a kill of the server.
  [zookeeper, folder] = await Promise.all([startZookeeper({ forceSync: true }), makeFolder(FILES)]);
  proxy = await startTcpProxy(zookeeper.address);
}, 120_000);

afterAll(async () => {
  await proxy.stop();
  await zookeeper.stop();
  await rm(folder, { recursive: true });
});

const environment = (urls: string, path: string) => ({
  SVCCMD_SOURCE_PATH: folder,
  SVCCMD_DESTINATION_URLS: urls,
  SVCCMD_DESTINATION_PATH: path,
  SVCCMD_DESTINATION_TIMEOUT: '30s',
  // So that the lock of a killed load is gone sooner.
  SVCCMD_DESTINATION_SESSION_TIMEOUT: '5s',
});

/** What another client sees: every file that is there is whole. @returns how many there are, and the version */
async function seen(path: string): Promise<{ files: number; version: string | undefined }> {
  const nodes = await readNodes(zookeeper.address, path);
  const there = Object.entries(FILES).filter(([name]) => nodes.has(`${path}/${name}`));
  for (const [name, content] of there) expect(nodes.get(`${path}/${name}`)?.data).toBe(content);
  return { files: there.length, version: nodes.get(`${path}/.version.yaml`)?.data };
}

test('a killed load leaves every node consistent; the next one completes it and increments the version once', async () => {
  const halfWay = proxy.sent(A_THIRD, { stall: true });
  const child = startSvccmd(['library', 'load'], environment(proxy.address, '/killed'));
  const ended = once(child, 'exit');
  await halfWay;
  child.kill('SIGKILL');
  await ended;
  // A slow server writes later what was sent to it; ending its connection before would discard that.
  await eventually(async () => expect((await seen('/killed')).files).toBeGreaterThan(0));
  proxy.resume();
  const { files, version } = await seen('/killed');
  expect(files).toBeLessThan(COUNT);
  expect(version).toBeUndefined();
  const words = ['library', 'load', '--wait', '60', '--json'];
  const next = await svccmd(words, environment(zookeeper.address, '/killed'));
  expect(JSON.parse(next.stdout)).toMatchObject({ version: '2', load: 2 });
  expect(await seen('/killed')).toEqual({ files: COUNT, version: '2' });
});

test('a load whose server restarts half-way continues and completes', async () => {
  const halfWay = proxy.sent(A_THIRD, { stall: true });
  const loading = svccmd(['library', 'load'], {
    ...environment(proxy.address, '/restarted'),
    // Reading what is there and the restart take less.
    SVCCMD_DESTINATION_SESSION_TIMEOUT: '40s',
  });
  await halfWay;
  expect((await seen('/restarted')).files).toBeLessThan(COUNT);
  await zookeeper.restart();
  proxy.resume();
  const { code, stderr } = await loading;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await seen('/restarted')).toEqual({ files: COUNT, version: '2' });
});

test('a load interrupted while writing reports its progress; the next one reports what it completed', async () => {
  const halfWay = proxy.sent(A_THIRD, { stall: true });
  const child = startSvccmd(['library', 'load'], environment(proxy.address, '/interrupted'));
  const ended = once(child, 'close');
  const printed = text(child.stderr!);
  await halfWay;
  child.kill('SIGINT');
  proxy.resume();
  expect(await ended).toEqual([130, null]);
  expect(await printed).toMatch(
    /^svccmd: the load was interrupted after \d+ of 1061 changes; run the load again to complete it\n$/,
  );
  expect((await seen('/interrupted')).version).toBeUndefined();
  const next = await svccmd(
    ['library', 'load', '--wait', '60'],
    environment(zookeeper.address, '/interrupted'),
  );
  expect(next.stdout).toContain(
    '\nload 2 is done, version 2; it completed load 1, which had been interrupted (',
  );
  expect(await seen('/interrupted')).toEqual({ files: COUNT, version: '2' });
});
