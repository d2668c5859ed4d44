import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { baseProperties, writeConfiguration } from './zookeeper.js';
import {
  hasZookeeperSession,
  syncedFollowers,
  ZookeeperProcess,
  zookeeperReady,
  zookeeperStatus,
} from './zookeeper-process.js';

/** A ZooKeeper ensemble of three servers on loopback. */
export interface ZookeeperEnsemble {
  /** `127.0.0.1:port` of each, separated by commas. */
  readonly addresses: string;
  /** Kills the current leader. @returns its address */
  killLeader(): Promise<string>;
  /** Freezes the current leader (SIGSTOP): its connections stay open, but nothing responds. */
  freezeLeader(): Promise<FrozenServer>;
  /** The same for the server that holds a client session, or for any server if none does. */
  freezeServerInUse(): Promise<FrozenServer>;
  /** Waits until one server leads and all others follow it: a thawed one may believe for a while that it leads. */
  whole(): Promise<void>;
  /** Kills all servers and brings them back with their state. Resolves once they serve. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface FrozenServer {
  readonly address: string;
  /** Lets it run again. */
  readonly thaw: () => void;
}

interface Member {
  readonly folder: string;
  readonly port: number;
  server: ZookeeperProcess;
}

const SIZE = 3;
const WHOLE_MS = 60_000;

/**
 * Starts an ensemble from Debian's package `zookeeper`. It dies with the test process.
 *
 * @throws {Error} that names the command to install it with
 */
export async function startZookeeperEnsemble(): Promise<ZookeeperEnsemble> {
  const root = await mkdtemp(join(tmpdir(), 'svc-ensemble-'));
  const members = await startMembers(root);
  const kill = async () => Promise.all(members.map(async ({ server }) => server.kill()));
  const stop = async () => {
    await kill();
    await rm(root, { recursive: true, force: true });
  };
  await allReady(members).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    addresses: members.map(({ port }) => `127.0.0.1:${port}`).join(','),
    killLeader: async () => {
      const { port, server } = await findLeader(members);
      await server.kill();
      return `127.0.0.1:${port}`;
    },
    freezeLeader: async () => freeze(await findLeader(members)),
    freezeServerInUse: async () => freeze(await findInUse(members)),
    whole: async () => untilWhole(members),
    restart: async () => {
      await kill();
      for (const member of members) member.server = await startMember(member.folder);
      await allReady(members);
    },
    stop,
  };
}

async function startMembers(root: string): Promise<Member[]> {
  const ports = await Promise.all(Array.from({ length: SIZE * 3 }, freePort));
  const peers = Object.fromEntries(
    Array.from({ length: SIZE }, (_, index) => [
      `server.${index + 1}`,
      `127.0.0.1:${ports[SIZE + index]}:${ports[2 * SIZE + index]}`,
    ]),
  );
  const members: Member[] = [];
  for (let index = 0; index < SIZE; index += 1) {
    const folder = join(root, String(index + 1));
    const port = ports[index]!;
    await mkdir(join(folder, 'data'), { recursive: true });
    await writeFile(join(folder, 'data', 'myid'), String(index + 1));
    await writeConfiguration(folder, {
      ...baseProperties(folder, port),
      initLimit: '20',
      syncLimit: '10',
      ...peers,
    });
    members.push({ folder, port, server: await startMember(folder) });
  }
  return members;
}

async function startMember(folder: string): Promise<ZookeeperProcess> {
  return ZookeeperProcess.start(folder, ['-Dzookeeper.forceSync=no']);
}

async function allReady(members: readonly Member[]): Promise<void> {
  await Promise.all(members.map(async ({ port, folder }) => zookeeperReady(port, folder, 60_000)));
}

async function untilWhole(members: readonly Member[]): Promise<void> {
  const end = Date.now() + WHOLE_MS;
  for (;;) {
    const counts = await Promise.all(members.map(async ({ port }) => syncedFollowers(port)));
    const [followers, ...others] = counts.filter((count) => count !== undefined);
    if (followers === SIZE - 1 && others.length === 0) return;
    if (Date.now() > end) throw new Error(`the ensemble is not whole after ${WHOLE_MS} ms`);
    await sleep(100);
  }
}

function freeze({ port, server }: Member): FrozenServer {
  server.signal('SIGSTOP');
  return { address: `127.0.0.1:${port}`, thaw: () => server.signal('SIGCONT') };
}

async function findInUse(members: readonly Member[]): Promise<Member> {
  const inUse = await Promise.all(members.map(async ({ port }) => hasZookeeperSession(port)));
  return members[Math.max(0, inUse.indexOf(true))]!;
}

async function findLeader(members: readonly Member[]): Promise<Member> {
  for (const member of members) {
    if ((await zookeeperStatus(member.port)).includes('\nMode: leader')) return member;
  }
  throw new Error('no server leads');
}
