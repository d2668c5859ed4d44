import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const JARS = '/usr/share/java';
const MAIN_JAR = join(JARS, 'zookeeper.jar');

/** The jar's manifest names its dependencies, but neither a log backend nor the parts of netty that TLS needs. */
const EXTRA_JARS = [
  'slf4j-simple',
  'netty-codec',
  'netty-resolver',
  'netty-transport-native-unix-common',
  'netty-transport-classes-epoll',
  'servlet-api',
];

/**
 * Runs the server and waits on standard input, which the test process holds: when that process dies, however it
 * dies, the input ends, the server is killed and its folder removed. The first line of output is the server's process id.
 */
const GUARD =
  '"$@" & pid=$!; echo $pid; read -r word; kill -KILL $pid 2>/dev/null; wait $pid; [ "$word" = keep ] || rm -rf "$folder"';

/** A running ZooKeeper server process (one JVM). */
export class ZookeeperProcess {
  private constructor(
    private readonly guard: ChildProcess,
    readonly pid: number,
  ) {}

  /**
   * Starts a server from `<folder>/zoo.cfg`; its output goes to `<folder>/zookeeper.log`.
   *
   * @throws {Error} that names the package to install when Debian's ZooKeeper or Java is missing
   */
  static async start(folder: string, jvmOptions: readonly string[] = []): Promise<ZookeeperProcess> {
    if (!existsSync(MAIN_JAR)) {
      throw new Error(
        `ZooKeeper is not installed (no ${MAIN_JAR}); run: apt-get install -y --no-install-recommends zookeeper`,
      );
    }
    const command = `folder="${folder}"; exec 2>>"$folder/zookeeper.log"; ${GUARD}`;
    const guard = spawn('sh', ['-c', command, 'zookeeper', ...javaCommand(folder, jvmOptions)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    guard.unref();
    const [line] = (await once(guard.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    return new ZookeeperProcess(guard, Number(line.toString().trim()));
  }

  /** Sends the server a signal: `SIGSTOP` freezes it, `SIGCONT` wakes it. */
  signal(name: NodeJS.Signals): void {
    process.kill(this.pid, name);
  }

  /** Kills the server at once, as a power cut would, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.guard.exitCode !== null) return;
    this.guard.ref();
    const gone = once(this.guard, 'exit');
    this.guard.stdin?.end('keep\n');
    await gone;
  }
}

function javaCommand(folder: string, jvmOptions: readonly string[]): string[] {
  const jars = [
    MAIN_JAR,
    ...EXTRA_JARS.map((name) => join(JARS, `${name}.jar`)).filter((jar) => existsSync(jar)),
  ];
  return [
    'java',
    '-Xms64m',
    // The server keeps its last 500 transactions in memory, which may be batches of 900 kB.
    '-Xmx1536m',
    '-XX:+UseSerialGC',
    '-Djava.net.preferIPv4Stack=true',
    '-Dzookeeper.admin.enableServer=false',
    '-Dzookeeper.jmx.log4j.disable=true',
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=WARN',
    ...jvmOptions,
    '-cp',
    jars.join(':'),
    'org.apache.zookeeper.server.quorum.QuorumPeerMain',
    join(folder, 'zoo.cfg'),
  ];
}

/**
 * Waits until the server on this port serves requests.
 *
 * `ruok` would answer `imok` even without a quorum; `srvr` names a mode only when the server serves.
 *
 * @throws {Error} with the end of the server's log after `limitMs`
 */
export async function zookeeperReady(port: number, folder: string, limitMs = 90_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    if ((await zookeeperStatus(port)).includes('\nMode: ')) return;
    await sleep(50);
  }
  const log = await readFile(join(folder, 'zookeeper.log'), 'utf8').catch(() => '');
  throw new Error(`ZooKeeper on port ${port} does not serve after ${limitMs} ms:\n${log.slice(-2000)}`);
}

/** @returns whether a client has its session at the server on this port */
export async function hasZookeeperSession(port: number): Promise<boolean> {
  return (await askZookeeper(port, 'cons')).includes('sid=0x');
}

/** @returns how many followers are in step with the server on this port; undefined when it does not lead */
export async function syncedFollowers(port: number): Promise<number | undefined> {
  const count = /^zk_synced_followers\t(\d+)/m.exec(await askZookeeper(port, 'mntr'));
  return count ? Number(count[1]) : undefined;
}

/** The answer to `srvr`, or an empty text when the server does not answer. */
export async function zookeeperStatus(port: number): Promise<string> {
  return askZookeeper(port, 'srvr');
}

/** @param word one of ZooKeeper's four-letter words */
async function askZookeeper(port: number, word: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(word));
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}
