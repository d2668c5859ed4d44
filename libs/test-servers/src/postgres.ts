import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { type DataFolder, placeData, type PreparedData } from './postgres-data.js';
import { copyServer, followServer } from './postgres-standby.js';
import { createDatabase, fromRegistryTemplate, query } from './test-database.js';

/** Output that means the start failed. Other FATAL lines only answer early connections. */
const FAILED = /FATAL:(?!.*(starting up|not yet accepting))|not found|while loading/;

/** Start-up timeout in milliseconds. */
const START_TIMEOUT_MS = 30_000;

/**
 * Runs the server while standard input is open, and reads commands from it, one per line. The end of input, which
 * also occurs when this process dies, stops the server and removes its folder. SIGPIPE is ignored, since its output
 * may no longer be read by then. A frozen server starts no more processes, so it is frozen before it is killed; it can start again
 * once none of them holds its shared memory.
 */
const KEEPER = `
trap '' PIPE
folder=$1; shift
start() { "$@" </dev/null & server=$!; }
children() { cat /proc/$server/task/$server/children 2>/dev/null; }
freeze() { kill -STOP $server; kill -STOP $server $(children); }
thaw() { kill -CONT $server $(children); }
destroy() {
  freeze
  killed=$(children)
  kill -KILL $server $killed
  wait $server
  for pid in $killed; do
    while grep -q '^State:[[:space:]]*[^XZ[:space:]]' /proc/$pid/status 2>/dev/null; do sleep 0.01; done
  done
}
start "$@"
while read -r order; do
  case $order in
    start) start "$@" ;;
    stop) kill -INT $server; wait $server ;;
    kill) destroy ;;
    freeze) freeze ;;
    thaw) thaw ;;
  esac
  echo "$order done"
done
thaw; kill -INT $server; wait $server
rm -rf "$folder"
`;

/** A PostgreSQL server for one test file; most files share one (shared-postgres.ts). */
export interface PostgresServer {
  /** Connection URL of the database `postgres`, as its superuser. */
  readonly url: string;
  /** Creates an empty database. @returns its connection URL */
  createDatabase(): Promise<string>;
  /** Creates a database with the registry's tables, during a run of the tests. @returns its connection URL */
  createRegistryDatabase(): Promise<string>;
  /** Starts a streaming standby of this server, which must be running. @param settings in addition to those of this server */
  startStandby(settings?: Readonly<Record<string, string>>): Promise<PostgresServer>;
  /** Stops the server, gracefully or with SIGKILL to all its processes, keeping its data and port for `startAgain`. */
  halt(how: 'stop' | 'kill'): Promise<void>;
  /** Starts a halted server, as a standby of `primary` if given: then it must have no changes of its own. */
  startAgain(primary?: PostgresServer): Promise<void>;
  /** Freezes all server processes (SIGSTOP; on Linux): connections stay open, but nothing responds. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/** Settings in addition to the defaults, named as in postgresql.conf. */
export interface PostgresOptions {
  /** Parent of the data folder. Default: the system's temporary folder. */
  readonly below?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: the content of the server that all test files of a run share. */
  readonly prepared?: Content | undefined;
}

/**
 * Starts a real PostgreSQL on a free port of 127.0.0.1, without fsync. It is stopped by `stop()`, or at the latest when this
 * process ends.
 *
 * @throws {Error} with the server's output if it does not start within 30 s
 */
export async function startPostgres({
  settings = {},
  below = tmpdir(),
  prepared = sharedContent(),
}: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = await findPostgresBinaries();
  const data = await placeData(binaries, below, prepared && preparedData(binaries, prepared));
  try {
    return await serve(binaries, data, settings);
  } catch (error) {
    await rm(data.folder, { recursive: true, force: true });
    throw error;
  }
}

/** What a server contains from the start. Made once and kept for later runs. */
interface Content {
  /** Changes with the content. */
  readonly name: string;
  prepare(server: PostgresServer): Promise<void>;
}

/** The content of the server that all test files of a run share; undefined outside such a run. */
function sharedContent(): Content | undefined {
  const name = process.env['TEST_POSTGRES_CONTENT'];
  if (name === undefined) return undefined;
  return { name, prepare: async () => Promise.reject(new Error('the data of the shared server is gone')) };
}

function preparedData(binaries: PostgresBinaries, { name, prepare }: Content): PreparedData {
  return {
    name,
    prepare: async (data, keep) => {
      const server = await serve(binaries, data, {});
      try {
        await prepare(server);
        await server.halt('stop');
        await keep();
      } finally {
        await server.stop();
      }
    },
  };
}

async function serve(
  binaries: PostgresBinaries,
  { folder, password }: DataFolder,
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
    // In its own session, so that Ctrl-C does not kill the keeper before it has cleaned up.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const printed = collect(keeper);
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  await accepting(url('postgres'), printed).catch(async (error: unknown) => {
    await end(keeper);
    throw error;
  });
  return handleOf(keeper, url, {
    startStandby: async (others = {}) => {
      const copy = await mkdtemp(join(dirname(folder), 'postgres-'));
      try {
        await copyServer({ url: url('postgres'), folder, user: binaries.user }, copy);
        return await serve(binaries, { folder: copy, password }, { ...settings, ...others });
      } catch (error) {
        await rm(copy, { recursive: true, force: true });
        throw error;
      }
    },
    follow: async (primary) => followServer(folder, primary.url, binaries.user),
  });
}

/** Operations on the server's data. */
interface Replication {
  readonly startStandby: PostgresServer['startStandby'];
  follow(primary: PostgresServer): Promise<void>;
}

function handleOf(
  keeper: ChildProcess,
  url: (database: string) => string,
  { startStandby, follow }: Replication,
): PostgresServer {
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
    createRegistryDatabase: async () => createDatabase(url('postgres'), fromRegistryTemplate()),
    startStandby,
    halt: order,
    startAgain: async (primary) => {
      if (primary !== undefined) await follow(primary);
      const printed = collect(keeper);
      await order('start');
      await accepting(url('postgres'), printed);
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

async function accepting(url: string, printed: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await query(url, 'SELECT 1');
      return;
    } catch (cause) {
      if (Date.now() > deadline || FAILED.test(printed())) {
        throw new Error(`PostgreSQL did not start: ${printed()}`, { cause });
      }
      await sleep(20);
    }
  }
}

/** The last 4,000 characters of standard error. */
function collect(child: ChildProcess): () => string {
  let printed = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-4000);
  });
  return () => printed.trim();
}
