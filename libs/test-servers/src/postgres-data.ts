import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PostgresBinaries, ServerUser } from './postgres-binaries.js';

const run = promisify(execFile);

/** Kept between runs. Only the user who runs the tests can read the data and the password in it. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/postgres-data/', import.meta.url));

/** A folder that contains a server's `data`, and its superuser's password. */
export interface DataFolder {
  readonly folder: string;
  readonly password: string;
}

/** More than initdb makes. */
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
      ? await kept(base, async (keep) => initialise(binaries, keep))
      : await kept(`${base}-${prepared.name}`, async (keep) => {
          const data = await placeData(binaries, tmpdir());
          await prepared.prepare(data, async () => keep(data.folder));
        });
  const folder = await mkdtemp(join(below, 'postgres-'));
  await copyFolder(source, folder);
  await giveTo(binaries.user, folder);
  return { folder, password: await readFile(join(folder, 'password'), 'utf8') };
}

type Keep = (folder: string) => Promise<void>;

/** @returns the folder that is kept under a name */
async function kept(name: string, make: (keep: Keep) => Promise<void>): Promise<string> {
  const target = join(CACHE, name);
  if (existsSync(target)) return target;
  await make(async (folder) => {
    await mkdir(CACHE, { recursive: true });
    const unfinished = await mkdtemp(join(CACHE, 'unfinished-'));
    await copyFolder(folder, unfinished);
    // Of two processes that make it at the same time, the first wins.
    await rename(unfinished, target).catch(async () => rm(unfinished, { recursive: true }));
  });
  return target;
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
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`initdb failed: ${said.trim()}`);
    await keep(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Before version 17 letters beyond ASCII have cases only in databases whose ctype knows them. */
function ctype(): string[] {
  return Number(process.env['TEST_POSTGRES'] ?? 18) < 17 ? ['--lc-ctype=C.UTF-8'] : [];
}

/** A thousand files, for which Node's own `cp` takes a second of CPU time. */
async function copyFolder(from: string, to: string): Promise<void> {
  await run('cp', ['-R', `${from}/.`, to]);
}

async function giveTo({ uid, gid }: ServerUser, folder: string): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await run('chown', ['-R', `${uid}:${gid}`, folder]);
}
