import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, startTcpProxy, startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { assembleConfig } from '../../src/config/assemble-config.js';
import type { LibrarySettings } from '../../src/config/commander-config.js';
import { CONFIG_KEYS } from '../../src/config/config-keys.js';
import { parseIni } from '../../src/config/parse-ini.js';
import { status } from '../../src/libraries/library-tasks.js';
import { openDestination } from '../../src/libraries/open-library.js';
import { PLAIN_LOAD, runLoad } from '../../src/libraries/run-load.js';
import { withStore } from '../../src/libraries/shared-store.js';

const CALLERS = 80;

let zookeeper: ZookeeperServer;
let folder: string;
let counter = 0;

beforeAll(async () => {
  zookeeper = await startZookeeper({ properties: { maxClientCnxns: '10' } });
  folder = await mkdtemp(join(tmpdir(), 'svc-shared-'));
  await writeFile(join(folder, 'a.yaml'), 'x: 1');
});

afterAll(async () => {
  await zookeeper.stop();
  await rm(folder, { recursive: true });
});

function configure(address = zookeeper.address, sessionTimeout = '10 s'): LibrarySettings {
  counter += 1;
  const lines = [
    '[source]',
    `path = ${folder}`,
    '[destination]',
    `urls = ${address}`,
    `path = /shared-${counter}`,
  ];
  const ini = [...lines, 'timeout = 5 s', `session_timeout = ${sessionTimeout}`].join('\n');
  return assembleConfig(CONFIG_KEYS, [parseIni(ini, 'svccmd.conf')], '/').config.libraries[0]!;
}

/** One line per connection, including the one used for this request. */
async function sessions(): Promise<number> {
  const answer = await text(connect(zookeeper.port, '127.0.0.1').end('cons'));
  return answer.split('\n').filter((line) => line.includes('sid=')).length;
}

/** The server ends a closed connection late. */
const expectSessions = async (count: number) => eventually(async () => expect(await sessions()).toBe(count));

const loadWaiting = async (config: LibrarySettings, waitMs = 30_000) =>
  runLoad(config, { ...PLAIN_LOAD, waitMs }, {});

test('eighty callers waiting for a load share one session, and each gets its response', async () => {
  const config = configure();
  const other = await (await openDestination(config)).library(config.destination.path);
  const lock = await other.lock({ id: randomUUID(), by: 'another host', since: 'now' }, 0);
  const loads = Array.from({ length: CALLERS }, async () => loadWaiting(config));
  const inVain = loadWaiting(config, 300);
  await expect(inVain).rejects.toThrow(
    /^another load is running: the lock is held by another host since now/,
  );
  await expect(loadWaiting(config, 0)).rejects.toThrow('the lock is held by another host');
  await expectSessions(2);
  await lock.release();
  const reports = await Promise.all(loads);
  expect(reports.map(({ load, changed }) => `${load} ${changed}`).sort()).toEqual([
    ...Array.from({ length: CALLERS - 1 }, () => '1 false'),
    '1 true',
  ]);
  await expectSessions(1);
  await other.close();
});

test('eighty status requests share one session, which ends with the last of them', async () => {
  const config = configure();
  const asked = Array.from({ length: CALLERS }, async () => status(config, { drift: true }));
  expect(await Promise.all(asked)).toHaveLength(CALLERS);
  await expectSessions(0);
});

test('a session that ended for good is not shared any more, though a caller still has it', async () => {
  const proxy = await startTcpProxy(zookeeper.address);
  const config = configure(proxy.address, '2 s');
  await withStore(config, async (store) => {
    proxy.stall();
    await expect(store.readTree(() => undefined)).rejects.toThrow(/^ZooKeeper/);
    while (store.isOpen) await sleep(50);
    proxy.resume();
    await withStore(config, async (another) => expect(another.isOpen).toBe(true));
    expect(await loadWaiting(config)).toMatchObject({ created: 1 });
  });
  await proxy.stop();
});

test('a lock that could not be released during an outage is released after it, though others keep the session', async () => {
  const proxy = await startTcpProxy(zookeeper.address);
  const config = configure(proxy.address, '20 s');
  const direct = { ...config, destination: { ...config.destination, urls: zookeeper.address } };
  await withStore(config, async (store) => {
    const lock = await store.lock({ id: randomUUID(), by: 'this host', since: 'now' }, 0);
    proxy.stall();
    await lock.release();
    expect(await status(direct, { drift: false })).toMatchObject({ lock: { by: 'this host' } });
    proxy.resume();
    await eventually(async () => expect(await status(direct, { drift: false })).not.toHaveProperty('lock'));
    expect(store.isOpen).toBe(true);
    expect(await loadWaiting(direct, 0)).toMatchObject({ created: 1 });
  });
  await proxy.stop();
});

test('libraries of one cluster share one session, and wait only for their own locks', async () => {
  const [held, free] = [configure(), configure()];
  const other = await (await openDestination(held)).library(held.destination.path);
  const lock = await other.lock({ id: randomUUID(), by: 'another host', since: 'now' }, 0);
  const waiting = loadWaiting(held);
  expect(await loadWaiting(free)).toMatchObject({ created: 1 });
  await expectSessions(2);
  await lock.release();
  expect(await waiting).toMatchObject({ created: 1 });
  await other.close();
});

test('a library whose place is invalid is refused alone', async () => {
  const [good, bad] = [configure(), configure()];
  const root = { ...bad, destination: { ...bad.destination, path: '/' } };
  const [loaded, refused] = await Promise.allSettled([loadWaiting(good), loadWaiting(root)]);
  expect(loaded).toMatchObject({ value: { created: 1 } });
  expect(refused).toMatchObject({
    reason: { message: expect.stringMatching(/^destination: the library cannot be the root node/) as string },
  });
});
