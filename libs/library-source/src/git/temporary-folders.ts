import { rmdirSync, rmSync, type Stats } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const PREFIX = 'svccmd-git-';
/** No fetch takes that long: an older folder is a leftover, whichever process has its number now. */
const MAX_AGE_MS = 3_600_000;
/** Another process may remove the parent when it is done, just before we use it. */
const TRIES = 5;

/** Folders of this process that are still there. */
const open = new Set<string>();
let listens = false;

/**
 * Runs something with a folder of mode 0700 that is gone afterwards: also when it fails and when the process exits. What a
 * killed process left behind is removed by the next one of the same user.
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

/** Signals end the process through `process.exit`, and so pass here. */
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

/** In a folder that only this user can enter: everything in it may be removed. */
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
  // The parent belongs to another user. This folder is private, too, but stays behind when the process is killed.
  return mkdtemp(join(root, PREFIX));
}

function isPrivate(found: Stats): boolean {
  return isOurs(found) && (found.mode & 0o077) === 0;
}

/** A folder, not a link to one. */
function isOurs(found: Stats): boolean {
  return found.isDirectory() && found.uid === userId();
}

/** The name says whose folder it is. Hosts and containers that share the file system do not know each other's processes. */
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

/** Takes an error with this code for an answer. */
function unless(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}
