import { spawn } from 'node:child_process';
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
  stop(): Promise<void>;
}

/**
 * Starts a real PgBouncer that serves every database of a server, with the user of its URL.
 *
 * @param server a connection URL
 * @param settings as pgbouncer.ini names them
 */
export async function startPgbouncer(
  server: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pgbouncer> {
  const [program, ...words] = await findPgbouncer();
  const { uid, gid } = await findServerUser();
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const { hostname, port: serverPort, username, password } = new URL(server);
  const ini = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    ...settings,
  };
  await writeFile(join(folder, 'users.txt'), `"${username}" "${password}"\n`);
  const lines = Object.entries(ini).map(([name, value]) => `${name} = ${value}`);
  const databases = `[databases]\n* = host=${hostname} port=${serverPort}\n`;
  await writeFile(join(folder, 'pgbouncer.ini'), `${databases}[pgbouncer]\n${lines.join('\n')}\n`);
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  const child = spawn(program!, [...words, join(folder, 'pgbouncer.ini')], {
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let logged = '';
  child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    await rm(folder, { recursive: true });
  };
  const through = (url: string) => Object.assign(new URL(url), { hostname: '127.0.0.1', port }).href;
  try {
    await accepting(through(server), () => child.exitCode !== null);
  } catch (cause) {
    await stop();
    throw new Error(`PgBouncer did not start: ${logged}`, { cause });
  }
  return { address: `127.0.0.1:${port}`, through, logged: () => logged, stop };
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
