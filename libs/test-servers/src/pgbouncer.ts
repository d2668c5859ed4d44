import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { findPgbouncer } from './pgbouncer-binary.js';
import { findServerUser } from './postgres-binaries.js';
import { query } from './test-database.js';

const START_TIMEOUT_MS = 15_000;

/** A PgBouncer in front of a PostgreSQL. */
export interface Pgbouncer {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** The URL of a database as reached through PgBouncer. @param url as reached directly */
  through(url: string): string;
  /** Everything logged so far. */
  logged(): string;
  /** Ends the process with SIGKILL, and starts another one on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** As pgbouncer.ini names them. */
type Settings = Readonly<Record<string, string | number>>;

/**
 * Starts a real PgBouncer that serves every database of a server, with the user of its URL.
 *
 * @param server a connection URL
 */
export async function startPgbouncer(server: string, settings: Settings = {}): Promise<Pgbouncer> {
  const [program, ...words] = await findPgbouncer();
  const { uid, gid } = await findServerUser();
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  await writeConfiguration(server, folder, { listen_port: port, ...settings });
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  let logged = '';
  const start = (): ChildProcess => {
    const process = spawn(program!, [...words, join(folder, 'pgbouncer.ini')], {
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    process.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    return process;
  };
  let child = start();
  const through = (url: string) => Object.assign(new URL(url), { hostname: '127.0.0.1', port }).href;
  const ready = async () => accepting(through(server), () => child.exitCode !== null);
  const stop = async () => {
    await kill(child);
    await rm(folder, { recursive: true });
  };
  const restart = async () => {
    await kill(child);
    child = start();
    await ready();
  };
  try {
    await ready();
  } catch (cause) {
    await stop();
    throw new Error(`PgBouncer did not start: ${logged}`, { cause });
  }
  return { address: `127.0.0.1:${port}`, through, logged: () => logged, restart, stop };
}

async function writeConfiguration(server: string, folder: string, settings: Settings): Promise<void> {
  const { hostname, port, username, password } = new URL(server);
  const ini = {
    listen_addr: '127.0.0.1',
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    ...settings,
  };
  await writeFile(join(folder, 'users.txt'), `"${username}" "${password}"\n`);
  const lines = Object.entries(ini).map(([name, value]) => `${name} = ${value}`);
  const databases = `[databases]\n* = host=${hostname} port=${port}\n`;
  await writeFile(join(folder, 'pgbouncer.ini'), `${databases}[pgbouncer]\n${lines.join('\n')}\n`);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}

async function accepting(url: string, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await query(url, 'SELECT 1');
      return;
    } catch (error) {
      if (hasEnded() || Date.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
