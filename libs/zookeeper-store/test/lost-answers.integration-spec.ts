import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTcpProxy, startZookeeper, type TcpProxy, type ZookeeperServer } from '@svc/test-servers';
import { ZookeeperLibraryStore } from '../src/index.js';
import type { ZookeeperClient } from '../src/zookeeper-client.js';
import { closeAll, connect } from './support/clients.js';
import { loadFiles } from './support/load-files.js';

/** Bytes after which the connection is cut: more than any read sends, less than the write under test. */
const WRITE_BYTES = 4_000;

let zookeeper: ZookeeperServer;
let proxy: TcpProxy;
let store: ZookeeperLibraryStore;
let observer: ZookeeperClient;
let root = '';
let counter = 0;

beforeAll(async () => {
  zookeeper = await startZookeeper();
});

afterAll(async () => zookeeper.stop());

beforeEach(async () => {
  proxy = await startTcpProxy(zookeeper.address);
  root = `/answers-${(counter += 1)}`;
  store = await ZookeeperLibraryStore.open({ addresses: proxy.address, path: root, timeoutMs: 20_000 });
  observer = await connect(zookeeper.address);
});

afterEach(async () => {
  await Promise.all([store.close(), closeAll()]);
  await proxy.stop();
});

/** Lets the server process the request, but cuts the connection before its reply arrives. */
async function loseAnswer<T>(act: () => Promise<T>, isDone: () => Promise<boolean>): Promise<T> {
  const asked = proxy.sent(WRITE_BYTES, { stall: true });
  const acting = act();
  await asked;
  while (!(await isDone())) await sleep(10);
  proxy.resume();
  return acting;
}

const versionText = async () => (await observer.getData(`${root}/.version.yaml`))?.data.toString();
const nodeVersion = async (path: string) => (await observer.getData(`${root}/${path}`))?.version;

test('a lock whose reply is lost is held, not mistaken for another holder’s', async () => {
  const lock = `/svccmd/libraries/${root.slice(1)}/lock`;
  const holder = { id: randomUUID(), by: 'x'.repeat(2 * WRITE_BYTES), since: 'now' };
  const held = await loseAnswer(
    async () => store.lock(holder, 0),
    async () => (await observer.getData(lock)) !== undefined,
  );
  expect(held.holder.id).toBe(holder.id);
  await held.release();
  expect(await observer.getData(lock)).toBeUndefined();
});

test('writes whose replies are lost are applied once', async () => {
  const text = 'x'.repeat(WRITE_BYTES);
  const first = new Map([
    ['a.txt', `a ${text}`],
    ['b.txt', `b ${text}`],
  ]);
  const loads = async (files: ReadonlyMap<string, string>, version: string) =>
    loseAnswer(
      async () => loadFiles(store, files),
      async () => (await versionText()) === version,
    );
  expect(await loads(first, '2')).toMatchObject({ created: 2, version: '2' });
  expect(await nodeVersion('a.txt')).toBe(0);
  const second = new Map([['a.txt', `changed ${text}`]]);
  expect(await loads(second, '3')).toMatchObject({ updated: 1, deleted: 1, version: '3' });
  expect([await nodeVersion('a.txt'), await nodeVersion('b.txt')]).toEqual([1, undefined]);
  expect(await versionText()).toBe('3');
});
