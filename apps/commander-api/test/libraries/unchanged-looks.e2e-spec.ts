import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  eventually,
  GitRepository,
  type GitServer,
  startGitServer,
  startZookeeper,
  type ZookeeperServer,
} from '@svc/test-servers';
import { LIBRARY, makeFolder, writeFiles } from './support/library-folder.js';
import { type Server, startServer } from './support/server.js';
import { startSvccmd, svccmd } from './support/svccmd.js';

const LOOKS = 4;

let zookeeper: ZookeeperServer;
let repository: GitRepository;
let gitServer: GitServer;
let folder: string;

beforeAll(async () => {
  folder = await makeFolder(LIBRARY);
  repository = await GitRepository.create();
  await repository.commit(LIBRARY);
  [zookeeper, gitServer] = await Promise.all([startZookeeper(), startGitServer({ root: repository.root })]);
}, 120_000);

afterAll(async () => {
  await Promise.all([zookeeper.stop(), gitServer.stop()]);
  await repository.remove();
  await rm(folder, { recursive: true });
});

/** Number of the last transaction: every write has one, and so have the start and the end of a session. */
async function lastTransaction(): Promise<number> {
  const status = await text(connect(zookeeper.port, '127.0.0.1').end('srvr'));
  return Number(/^Zxid: (0x[0-9a-f]+)$/m.exec(status)![1]);
}

const gitAddress = (): string => `git://${gitServer.address}/library.git`;

const environment = (source: string, node: string) => ({
  SVCCMD_SOURCE_PATH: source,
  SVCCMD_DESTINATION_URLS: zookeeper.address,
  SVCCMD_DESTINATION_PATH: node,
});

/** When the server last found the source loaded. */
async function lastSuccess(server: Server): Promise<string | undefined> {
  const { libraries } = (await (await server.fetch('/libraries')).json()) as {
    libraries: { last_success?: string }[];
  };
  return libraries[0]!.last_success;
}

/** How many loads and checks succeeded, and when the last one did. */
async function successes(server: Server) {
  const metrics = await (await server.fetch('/metrics')).text();
  const valueOf = (series: RegExp) => Number(series.exec(metrics)?.[1]);
  return {
    loaded: valueOf(/^library_loads_total\{[^}]*result="loaded"[^}]*\} (\d+)$/m),
    unchanged: valueOf(/^library_loads_total\{[^}]*result="unchanged"[^}]*\} (\d+)$/m),
    at: valueOf(/^library_last_success_timestamp_seconds\{[^}]*\} (\S+)$/m),
  };
}

async function newLooks(server: Server, count: number): Promise<void> {
  const seen = new Set<string | undefined>();
  // The first one may be the load itself, whose session is about to end.
  while (seen.size < count + 1) {
    seen.add(await lastSuccess(server));
    await sleep(50);
  }
}

test.each([
  ['a folder', () => folder, async () => writeFiles(folder, { 'Lookups/new.csv': 'a,b\n' })],
  ['a repository', gitAddress, async () => repository.commit({ 'Lookups/new.csv': 'a,b\n' })],
] as const)(
  'while %s does not change, the schedule of a server opens no session and writes nothing, and its checks count as successes',
  async (name, source, change) => {
    const server = await startServer({
      ...environment(source(), `/${name}`.replace(' ', '-')),
      SVCCMD_SOURCE_INTERVAL: '200ms',
    });
    try {
      await eventually(async () => expect(await lastSuccess(server)).toBeDefined());
      await newLooks(server, 1);
      const before = await lastTransaction();
      const counted = await successes(server);
      await newLooks(server, LOOKS);
      expect(await lastTransaction()).toBe(before);
      // What the alerts read: the library is up to date, although nothing was loaded.
      const { loaded, unchanged, at } = await successes(server);
      expect(loaded).toBe(counted.loaded);
      expect(unchanged).toBeGreaterThanOrEqual(counted.unchanged + LOOKS);
      expect(at).toBeGreaterThan(counted.at);
      await change();
      await eventually(async () => expect(await lastTransaction()).toBeGreaterThan(before));
    } finally {
      await server.stop();
    }
  },
  180_000,
);

test('while a repository does not change, watch opens no session and writes nothing', async () => {
  const looks = async (count: number): Promise<void> => {
    const end = gitServer.requests.length + count;
    while (gitServer.requests.length < end) await sleep(50);
  };
  const child = startSvccmd(
    ['library', 'watch', '--interval', '1', '--json'],
    environment(gitAddress(), '/watched'),
  );
  try {
    await once(child.stdout!, 'data');
    await looks(2);
    const before = await lastTransaction();
    await looks(LOOKS);
    expect(await lastTransaction()).toBe(before);
  } finally {
    child.kill('SIGINT');
    await once(child, 'close');
  }
}, 180_000);

test.each([
  ['a folder', () => folder],
  ['a repository', gitAddress],
] as const)(
  'load --if-changed of %s that has not changed writes nothing but its session',
  async (name, source) => {
    const words = ['library', 'load', '--if-changed'];
    const settings = environment(source(), `/once-${name}`.replace(' ', '-'));
    expect(await svccmd(words, settings)).toMatchObject({ code: 0 });
    const before = await lastTransaction();
    expect(await svccmd(words, settings)).toMatchObject({ code: 0 });
    expect(await lastTransaction()).toBe(before + 2);
  },
  180_000,
);
