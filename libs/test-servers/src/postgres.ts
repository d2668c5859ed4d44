import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { createDatabase, query } from './test-database.js';

/** What ends a start at once. The other FATAL lines tell a caller who came too early to wait. */
const FAILED = /FATAL:(?!.*(starting up|not yet accepting))|not found|while loading/;

/** How long a server may take to accept connections, in milliseconds. */
const START_TIMEOUT_MS = 30_000;

/**
 * Keeps the server for as long as standard input is open, and takes orders there, one a line. The end of input,
 * which is also how this process's death looks from there, ends the server and removes its folder. Once nobody reads what
 * it says any more, a word of it (of a server that is gone, of a process that just went) must not end it.
 */
const KEEPER = `
trap '' PIPE
folder=$1; shift
start() { "$@" </dev/null & server=$!; }
signal() { kill $1 $server $(cat /proc/$server/task/$server/children 2>/dev/null); }
start "$@"
while read -r order; do
  case $order in
    start) start "$@" ;;
    stop) kill -INT $server; wait $server ;;
    kill) kill -QUIT $server; wait $server ;;
    freeze) signal -STOP ;;
    thaw) signal -CONT ;;
  esac
  echo "$order done"
done
signal -CONT; kill -INT $server; wait $server
rm -rf "$folder"
`;

/** A PostgreSQL server for one test file; most share one (shared-postgres.ts). */
export interface PostgresServer {
  /** Connection URL of the database `postgres`, as its superuser. */
  readonly url: string;
  /** Makes an empty database. @returns its connection URL */
  createDatabase(): Promise<string>;
  /** Ends the server, in order or (`kill`) at once as a crash does, and keeps its data and port for `startAgain`. */
  halt(how: 'stop' | 'kill'): Promise<void>;
  /** Starts a halted server. */
  startAgain(): Promise<void>;
  /** Stops all processes of the server from running (SIGSTOP; on Linux): its connections stay open and nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** Settings beside the defaults, as postgresql.conf names them. */
export interface PostgresOptions {
  /** The folder in which that of its data is made; the system's temporary one unless told. */
  readonly below?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts a real PostgreSQL with an empty data folder on a free port of 127.0.0.1, without fsync. It ends with
 * `stop()`, and in any case when this process ends.
 *
 * @throws {Error} with the server's own words when it does not come up within 30 s
 */
export async function startPostgres({
  settings = {},
  below = tmpdir(),
}: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = await findPostgresBinaries();
  const folder = await mkdtemp(join(below, 'postgres-'));
  const { uid, gid } = binaries.user;
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  const password = randomBytes(12).toString('hex');
  try {
    await initialise(binaries, folder, password);
    return await serve(binaries, folder, password, settings);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function initialise(binaries: PostgresBinaries, folder: string, password: string): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  const { uid, gid } = binaries.user;
  if (uid !== undefined && gid !== undefined) await chown(passwordFile, uid, gid);
  const settings = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const locale = ['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  const child = spawn(binaries.initdb, [...settings, ...locale, '-D', join(folder, 'data')], {
    ...binaries.user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`initdb failed: ${said()}`);
}

async function serve(
  binaries: PostgresBinaries,
  folder: string,
  password: string,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  const port = await freePort();
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    ...settings,
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [binaries.postgres, '-D', join(folder, 'data'), ...flags];
  const keeper = spawn('sh', ['-c', KEEPER, 'sh', folder, ...command], {
    ...binaries.user,
    cwd: folder,
    // A session of its own: Ctrl-C in the terminal must not end the keeper before it has cleaned up.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = collect(keeper);
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  await accepting(url('postgres'), said).catch(async (error: unknown) => {
    await end(keeper);
    throw error;
  });
  return handleOf(keeper, url);
}

function handleOf(keeper: ChildProcess, url: (database: string) => string): PostgresServer {
  const order = async (word: string): Promise<void> => {
    const done = new Promise<void>((resolve) => {
      keeper.stdout?.on('data', function listen(chunk: Buffer) {
        if (!chunk.toString().includes(`${word} done`)) return;
        keeper.stdout?.off('data', listen);
        resolve();
      });
    });
    keeper.stdin?.write(`${word}\n`);
    await done;
  };
  return {
    url: url('postgres'),
    createDatabase: async () => createDatabase(url('postgres')),
    halt: order,
    startAgain: async () => {
      const said = collect(keeper);
      await order('start');
      await accepting(url('postgres'), said);
    },
    freeze: async () => order('freeze'),
    thaw: async () => order('thaw'),
    stop: async () => end(keeper),
  };
}

async function end(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return;
  keeper.stdin?.end();
  await once(keeper, 'close');
}

async function accepting(url: string, said: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await query(url, 'SELECT 1');
      return;
    } catch (cause) {
      if (Date.now() > deadline || FAILED.test(said())) {
        throw new Error(`PostgreSQL did not start: ${said()}`, { cause });
      }
      await sleep(20);
    }
  }
}

/** What the process last said on standard error, at most 4,000 characters. */
function collect(child: ChildProcess): () => string {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  return () => said.trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
