import { execFile } from 'node:child_process';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { ServerUser } from './postgres-binaries.js';

const run = promisify(execFile);

/** cp's message about a file that the running server removed in the meantime. */
const IS_GONE = /^cp: .*: No such file or directory$/;

/** A running server and the folder above its data. */
interface Original {
  readonly url: string;
  readonly folder: string;
  readonly user: ServerUser;
}

/** Copies a running server (PostgreSQL documentation, section 25.3.4) into a folder, as a standby that follows it. */
export async function copyServer({ url, folder, user }: Original, copy: string): Promise<void> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  try {
    const backup = await backupStatements(session);
    await session.query(backup.start);
    await copyLive(join(folder, 'data'), join(copy, 'data'));
    const { rows } = await session.query<{ labelfile: string }>(backup.stop);
    await writeFile(join(copy, 'data', 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await session.end();
  }
  await followServer(copy, url, user);
}

/** Copies a thousand files, for which Node's own `cp` takes a second of CPU time. */
async function copyLive(from: string, to: string): Promise<void> {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
  await run('cp', ['-R', from, to], { env }).catch((error: Error & { readonly stderr: string }) => {
    if (
      !error.stderr
        .trim()
        .split('\n')
        .every((line) => IS_GONE.test(line))
    )
      throw error;
  });
  await rm(join(to, 'postmaster.pid'));
}

/** Makes the data of a server that does not run those of a standby. @param folder the one above the data */
export async function followServer(folder: string, primaryUrl: string, user: ServerUser): Promise<void> {
  const data = join(folder, 'data');
  await writeFile(join(data, 'standby.signal'), '');
  // Not on the command line, where ALTER SYSTEM could not change it.
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primaryUrl}'\n`);
  const { uid, gid } = user;
  if (uid !== undefined && gid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, folder]);
}

/** PostgreSQL 15 renamed the functions. */
async function backupStatements(session: pg.Client): Promise<{ start: string; stop: string }> {
  const { rows } = await session.query<{ version: string }>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  return Number(rows[0]?.version) < 150_000
    ? {
        start: `SELECT pg_start_backup('standby', true, false)`,
        stop: 'SELECT labelfile FROM pg_stop_backup(false, false)',
      }
    : {
        start: `SELECT pg_backup_start('standby', true)`,
        stop: 'SELECT labelfile FROM pg_backup_stop(false)',
      };
}
