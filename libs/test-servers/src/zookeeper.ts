import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { makeCertificates, type Certificates } from './tls-certificates.js';
import { ZookeeperProcess, zookeeperReady } from './zookeeper-process.js';

export interface ZookeeperOptions {
  /** Also listen for TLS with client certificates; the server's `tls` then has the address and the certificates. */
  readonly tls?: boolean;
  /** Wait for the disk at each write, as in production. Off by default: tests start from nothing anyway. */
  readonly forceSync?: boolean;
  /** Further lines of zoo.cfg. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** A standalone ZooKeeper on loopback, with its state in a temporary folder. */
export interface ZookeeperServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  readonly port: number;
  readonly tls?: { readonly address: string; readonly certificates: Certificates };
  /** Freezes the JVM (SIGSTOP): connections stay open, but nothing responds. */
  freeze(): void;
  thaw(): void;
  /** Kills the server; `restart` brings it back with the same state and port. */
  kill(): Promise<void>;
  restart(options?: { readonly empty?: boolean }): Promise<void>;
  /** Kills the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts the ZooKeeper of Debian's package `zookeeper` (no systemd, no AdminServer). Ticks are 500 ms and a session may
 * be as short as 1 s, so that expiry can be tested. It dies with the test process.
 *
 * @throws {Error} that names the command to install it with
 */
export async function startZookeeper(options: ZookeeperOptions = {}): Promise<ZookeeperServer> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-zookeeper-'));
  const port = await freePort();
  const lines = { ...baseProperties(folder, port), ...options.properties };
  const tls = options.tls ? await enableTls(folder, lines) : undefined;
  await mkdir(join(folder, 'data'));
  await writeConfiguration(folder, lines);
  const jvm = [`-Dzookeeper.forceSync=${options.forceSync ? 'yes' : 'no'}`];
  let server: ZookeeperProcess;
  try {
    server = await startReady(folder, port, jvm);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    address: `127.0.0.1:${port}`,
    port,
    ...(tls && { tls }),
    freeze: () => server.signal('SIGSTOP'),
    thaw: () => server.signal('SIGCONT'),
    kill: () => server.kill(),
    restart: async ({ empty = false } = {}) => {
      await server.kill();
      if (empty) await rm(join(folder, 'data'), { recursive: true });
      await mkdir(join(folder, 'data'), { recursive: true });
      server = await startReady(folder, port, jvm);
    },
    stop: async () => {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startReady(folder: string, port: number, jvm: readonly string[]): Promise<ZookeeperProcess> {
  const server = await ZookeeperProcess.start(folder, jvm);
  try {
    await zookeeperReady(port, folder);
  } catch (error) {
    await server.kill();
    throw error;
  }
  return server;
}

/** Settings every test server shares, standalone or not. */
export function baseProperties(folder: string, port: number): Record<string, string> {
  return {
    tickTime: '500',
    dataDir: join(folder, 'data'),
    clientPort: String(port),
    clientPortAddress: '127.0.0.1',
    maxClientCnxns: '0',
    minSessionTimeout: '1000',
    maxSessionTimeout: '60000',
    'admin.enableServer': 'false',
    '4lw.commands.whitelist': 'ruok,srvr,stat,mntr,cons,wchs,conf,isro',
    'autopurge.purgeInterval': '0',
  };
}

export async function writeConfiguration(
  folder: string,
  lines: Readonly<Record<string, string>>,
): Promise<void> {
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, 'zoo.cfg'), text.join(''));
}

async function enableTls(
  folder: string,
  lines: Record<string, string>,
): Promise<{ address: string; certificates: Certificates }> {
  const certificates = await makeCertificates(folder);
  const port = await freePort();
  Object.assign(lines, {
    secureClientPort: String(port),
    secureClientPortAddress: '127.0.0.1',
    serverCnxnFactory: 'org.apache.zookeeper.server.NettyServerCnxnFactory',
    'ssl.keyStore.location': certificates.server,
    'ssl.keyStore.type': 'PEM',
    'ssl.trustStore.location': certificates.ca,
    'ssl.trustStore.type': 'PEM',
  });
  return { address: `127.0.0.1:${port}`, certificates };
}
