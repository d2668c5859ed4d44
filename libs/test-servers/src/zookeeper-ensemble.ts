import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { baseProperties, writeConfiguration } from './zookeeper.js';
import { ZookeeperProcess, zookeeperReady, zookeeperStatus } from './zookeeper-process.js';

/** Three ZooKeeper servers on loopback that agree with each other. */
export interface ZookeeperEnsemble {
  /** `127.0.0.1:port` of each, between commas. */
  readonly addresses: string;
  /** Kills the server that leads now. @returns its address */
  killLeader(): Promise<string>;
  stop(): Promise<void>;
}

interface Member {
  readonly folder: string;
  readonly port: number;
  server: ZookeeperProcess;
}

const SIZE = 3;

/**
 * Starts an ensemble from Debian's package `zookeeper`. It dies with the test process.
 *
 * @throws {Error} that names the command to install it with
 */
export async function startZookeeperEnsemble(): Promise<ZookeeperEnsemble> {
  const root = await mkdtemp(join(tmpdir(), 'svc-ensemble-'));
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
    members.push({
      folder,
      port,
      server: await ZookeeperProcess.start(folder, ['-Dzookeeper.forceSync=no']),
    });
  }
  await Promise.all(members.map(async ({ port, folder }) => zookeeperReady(port, folder, 60_000)));
  return {
    addresses: members.map(({ port }) => `127.0.0.1:${port}`).join(','),
    killLeader: async () => {
      for (const { port, server } of members) {
        if (!(await zookeeperStatus(port)).includes('\nMode: leader')) continue;
        await server.kill();
        return `127.0.0.1:${port}`;
      }
      throw new Error('no server leads');
    },
    stop: async () => {
      await Promise.all(members.map(async ({ server }) => server.kill()));
      await rm(root, { recursive: true, force: true });
    },
  };
}
