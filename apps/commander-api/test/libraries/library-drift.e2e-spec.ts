import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { readNodes, removeNode, writeNode } from './support/kazoo.js';
import { LIBRARY, makeFolder, writeFiles } from './support/library-folder.js';
import { startServer, type Server } from './support/server.js';

let zookeeper: ZookeeperServer;
let folder: string;
let state: string;
let server: Server | undefined;
let root: string;
let counter = 0;

beforeAll(async () => {
  zookeeper = await startZookeeper();
});
afterAll(async () => zookeeper.stop());

beforeEach(async () => {
  folder = await makeFolder(LIBRARY);
  state = await makeFolder();
  root = `/drift-${(counter += 1)}`;
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true });
  await rm(state, { recursive: true });
});

const start = async (drift: string, change: NodeJS.ProcessEnv = {}): Promise<Server> => {
  server = await startServer({
    SVCCMD_SOURCE_PATH: folder,
    SVCCMD_SOURCE_INTERVAL: '200ms',
    SVCCMD_SOURCE_DRIFT: drift,
    SVCCMD_DESTINATION_URLS: zookeeper.address,
    SVCCMD_DESTINATION_PATH: root,
    ...change,
  });
  return server;
};
/** Waits until the log has so many lines with a message, and returns the last. */
const logged = async ({ log }: Server, message: string, count = 1): Promise<Record<string, unknown>> => {
  for (;;) {
    const lines = log()
      .split('\n')
      .filter((line) => line.includes(`"msg":"${message}"`));
    if (lines.length >= count) return JSON.parse(lines[count - 1]!) as Record<string, unknown>;
    await sleep(50);
  }
};
const drifted = async ({ fetch: ask }: Server): Promise<Record<string, string>> => {
  const lines = (await (await ask('/metrics')).text()).matchAll(
    /^library_drift_nodes\{[^}]*change="(\w+)"[^}]*\} (\d+)$/gm,
  );
  return Object.fromEntries([...lines].map(([, change, count]) => [change, count]));
};
const contentOf = async (path: string) =>
  (await readNodes(zookeeper.address, root)).get(`${root}/${path}`)?.data;
const write = async (path: string, text: string) => writeNode(zookeeper.address, `${root}/${path}`, text);

const PORTS = 'Lookups/ports.csv';

test('with source.drift = report, nodes that others changed are logged once and counted, until they are as loaded', async () => {
  const watching = await start('report');
  await logged(watching, 'library load');
  expect(await drifted(watching)).toEqual({ changed: '0', missing: '0', unreadable: '0' });
  await write(PORTS, 'theirs');
  expect(await logged(watching, 'library drift')).toMatchObject({
    level: 'warn',
    drift: { nodes: 1, first: [{ path: PORTS, change: 'changed' }] },
  });
  await removeNode(zookeeper.address, `${root}/Correlators/Login.yaml`);
  expect(await logged(watching, 'library drift', 2)).toMatchObject({ drift: { nodes: 2 } });
  expect(await drifted(watching)).toEqual({ changed: '1', missing: '1', unreadable: '0' });
  await writeFiles(folder, { 'Lookups/more.csv': 'x' });
  // A load puts them back in any case.
  await logged(watching, 'library load', 2);
  expect(await logged(watching, 'library drift', 3)).toMatchObject({ drift: { nodes: 0, first: [] } });
  expect(await drifted(watching)).toEqual({ changed: '0', missing: '0', unreadable: '0' });
  expect(await contentOf(PORTS)).toBe(LIBRARY[PORTS]);
});

test('with source.drift = repair, they are restored, the version is incremented once, and what others added stays', async () => {
  const watching = await start('repair');
  await logged(watching, 'library load');
  await write('Lookups/theirs.csv', 'theirs');
  await write(PORTS, 'theirs');
  await logged(watching, 'library drift repaired');
  const repair = await logged(watching, 'library load', 2);
  expect(repair).toMatchObject({ library: { load: 2, updated: 1, created: 0, deleted: 0 } });
  expect(await contentOf(PORTS)).toBe(LIBRARY[PORTS]);
  expect(await contentOf('Lookups/theirs.csv')).toBe('theirs');
  expect(await contentOf('.version.yaml')).toContain('3');
  // Nothing more happens.
  await sleep(1_500);
  expect(await contentOf('.version.yaml')).toContain('3');
});

test('after a rollback, nodes are repaired from its copy, not from the source', async () => {
  const copies = { SVCCMD_SOURCE_STATE_PATH: state };
  const watching = await start('repair', copies);
  await logged(watching, 'library load');
  await writeFiles(folder, { [PORTS]: 'port,name\n80,http\n' });
  await logged(watching, 'library load', 2);
  expect((await watching.fetch('/library/rollback', { method: 'POST' })).status).toBe(200);
  await write(PORTS, 'theirs');
  await logged(watching, 'library drift repaired');
  expect(await contentOf(PORTS)).toBe(LIBRARY[PORTS]);
});

test('unrepaired drift is counted, and the reason is logged', async () => {
  const watching = await start('repair');
  await logged(watching, 'library load');
  await writeFiles(folder, { 'Lookups/broken.yaml': 'a: [\n' });
  await logged(watching, 'library load failed');
  await write(PORTS, 'theirs');
  expect(await logged(watching, 'library drift not repaired')).toMatchObject({
    reason: expect.stringContaining('load 1 came from a folder, and no copies are kept'),
    drift: { nodes: 1, first: [{ path: PORTS, change: 'changed' }] },
  });
  expect((await drifted(watching))['changed']).toBe('1');
});
