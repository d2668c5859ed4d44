import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@svc/test-servers';

const run = promisify(execFile);

const DEBIAN = '/usr/lib/postgresql';

/** Debian's PostgreSQL server: npm's has no pg_dump, and an older pg_dump does not work with a newer server. */
export interface DebianPostgres {
  /** Folder of its programs, for the PATH. */
  readonly programs: string;
  /** Creates an empty database. @returns its connection URL */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** The folder of the newest complete installation. */
export function findPrograms(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const folders = readdirSync(DEBIAN)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => `${DEBIAN}/${version}/bin`);
  return folders.find((folder) =>
    ['postgres', 'initdb', 'pg_dump'].every((name) => existsSync(join(folder, name))),
  );
}

/** Starts a server with an empty data folder; for root as user `nobody`, since PostgreSQL refuses to run as root. */
export async function startDebianPostgres(programs: string): Promise<DebianPostgres> {
  const user = process.getuid?.() === 0 ? { uid: await idOf('-u'), gid: await idOf('-g') } : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'debian-postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initdb = [
    '-D',
    data,
    '--username=registry',
    '--auth=trust',
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C',
  ];
  await run(join(programs, 'initdb'), initdb, { ...user, cwd: folder });
  const port = await freePort();
  const settings = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-k', ''];
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  const closed = once(server, 'close');
  const url = (database: string) => `postgres://registry@127.0.0.1:${port}/${database}`;
  await accepting(join(programs, 'pg_isready'), url('postgres'));
  return {
    programs,
    createDatabase: async (name) => {
      await run(join(programs, 'createdb'), [`--maintenance-db=${url('postgres')}`, name]);
      return url(name);
    },
    stop: async () => {
      server.kill('SIGINT');
      await closed;
      await rm(folder, { recursive: true });
    },
  };
}

async function idOf(option: string): Promise<number> {
  return Number((await run('id', [option, 'nobody'])).stdout);
}

async function accepting(isReady: string, url: string): Promise<void> {
  for (let attempts = 0; attempts < 600; attempts += 1) {
    const answers = await run(isReady, [`--dbname=${url}`]).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await sleep(50);
  }
  throw new Error('PostgreSQL did not start within 30 s');
}
