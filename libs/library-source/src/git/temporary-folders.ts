import { rmdirSync, rmSync, type Stats } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const PREFIX = 'svccmd-git-';
/** Longer than any fetch: an older folder is a leftover, even if its process id is in use again. */
const MAX_AGE_MS = 3_600_000;
/** Another process may remove the parent folder just before we use it. */
const TRIES = 5;

/** Folders of this process still in use. */
const open = new Set<string>();
let listens = false;

/**
 * Runs a function with a temporary folder (mode 0700), removed afterwards even if the function fails or the process
 * exits. Leftovers of a killed process are removed by the same user's next process.
 */
export async function withTemporaryFolder<T>(
  use: (folder: string) => Promise<T>,
  root = tmpdir(),
): Promise<T> {
  listen();
  const folder = await createFolder(root);
  open.add(folder);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    open.delete(folder);
    removeEmptyParent(folder);
  }
}

/** Signal handlers call `process.exit`, which triggers this. */
function listen(): void {
  if (listens) return;
  listens = true;
  process.on('exit', () => {
    for (const folder of open) {
      rmSync(folder, { recursive: true, force: true });
      removeEmptyParent(folder);
    }
  });
}

function removeEmptyParent(folder: string): void {
  const parent = dirname(folder);
  if (!basename(parent).startsWith(PREFIX)) return;
  try {
    rmdirSync(parent);
  } catch {
    // Others are still in it.
  }
}

/** Its parent is accessible only to this user, so that anything in it may be removed. */
async function createFolder(root: string): Promise<string> {
  const parent = join(root, `${PREFIX}${userId()}`);
  for (let tries = 0; tries < TRIES; tries += 1) {
    await mkdir(parent, { mode: 0o700 }).catch(unless('EEXIST'));
    const found = await lstat(parent).catch(unless('ENOENT'));
    if (found && !isPrivate(found)) break;
    const names = await readdir(parent).catch(unless('ENOENT'));
    for (const name of names ?? []) await removeLeftover(parent, name);
    const folder = await mkdtemp(join(parent, `${host()}-${process.pid}-`)).catch(unless('ENOENT'));
    if (folder !== undefined) return folder;
  }
  // The parent belongs to another user. This folder is private, too, but not cleaned up if the process is killed.
  return mkdtemp(join(root, PREFIX));
}

function isPrivate(found: Stats): boolean {
  return isOurs(found) && (found.mode & 0o077) === 0;
}

/** True for a private folder of this user; false for a link to one. */
function isOurs(found: Stats): boolean {
  return found.isDirectory() && found.uid === userId();
}

/** The name holds host and process: hosts and containers sharing the file system cannot see each other's processes. */
async function removeLeftover(parent: string, name: string): Promise<void> {
  const [, owner, pid] = /^(.+)-(\d+)-\w{6}$/.exec(name) ?? [];
  const path = join(parent, name);
  const found = await lstat(path).catch(unless('ENOENT'));
  if (!found || !isOurs(found)) return;
  const isOld = Date.now() - found.mtimeMs > MAX_AGE_MS;
  if (!isOld && (owner !== host() || isAlive(Number(pid)))) return;
  await rm(path, { recursive: true, force: true });
}

const host = (): string => hostname().replace(/[^\w.-]/g, '_');

const userId = (): number => process.getuid?.() ?? 0;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Turns an error with this code into undefined. */
function unless(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}
