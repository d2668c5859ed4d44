import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyFolder, type Keep, keptFolder } from './kept-folder.js';
import type { PostgresBinaries, ServerUser } from './postgres-binaries.js';

const run = promisify(execFile);

/** A folder that contains a server's `data`, and its superuser's password. */
export interface DataFolder {
  readonly folder: string;
  readonly password: string;
}

/** Data beyond what initdb creates. */
export interface PreparedData {
  /** Changes with what `prepare` does. */
  readonly name: string;
  /** Changes new data, calls `keep` while no server runs on it, and removes it. */
  prepare(data: DataFolder, keep: () => Promise<void>): Promise<void>;
}

/**
 * Copies kept data into a new folder, which the server's user owns. initdb takes a second of CPU time, so its result is kept
 * for later runs, and so is prepared data.
 *
 * @param below parent of the new folder
 */
export async function placeData(
  binaries: PostgresBinaries,
  below: string,
  prepared?: PreparedData,
): Promise<DataFolder> {
  const base = `postgres-${binaries.version}`;
  const source =
    prepared === undefined
      ? await keptFolder(base, async (keep) => initialise(binaries, keep))
      : await keptFolder(`${base}-${prepared.name}`, async (keep) => {
          const data = await placeData(binaries, tmpdir());
          await prepared.prepare(data, async () => keep(data.folder));
        });
  const folder = await mkdtemp(join(below, 'postgres-'));
  await copyFolder(source, folder);
  await giveTo(binaries.user, folder);
  return { folder, password: await readFile(join(folder, 'password'), 'utf8') };
}

async function initialise({ initdb, user }: PostgresBinaries, keep: Keep): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  try {
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, randomBytes(12).toString('hex'), { mode: 0o600 });
    await giveTo(user, folder);
    const settings = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const locale = ['--encoding=UTF8', '--locale=C', ...ctype(), '--no-sync', '--no-instructions'];
    const child = spawn(initdb, [...settings, ...locale, '-D', join(folder, 'data')], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`initdb failed: ${printed.trim()}`);
    await keep(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Before version 17, letters beyond ASCII have upper and lower case only if the database's ctype defines it. */
function ctype(): string[] {
  return Number(process.env['TEST_POSTGRES'] ?? 18) < 17 ? ['--lc-ctype=C.UTF-8'] : [];
}

async function giveTo({ uid, gid }: ServerUser, folder: string): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await run('chown', ['-R', `${uid}:${gid}`, folder]);
}
