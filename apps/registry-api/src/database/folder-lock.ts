import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { link, rename, unlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** Another running process owns the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(folder: string) {
    super(
      `${folder} is in use by another running process; stop that one first, or give this one its own DATA_DIR`,
    );
  }
}

/**
 * Keeps every other process on this machine out of a folder until released, or until this process ends however it
 * ends. The lock is a listening Unix socket: the kernel closes it with its process, so one that refuses a connection
 * is stale. (A process id in a file would lie between containers, where everybody is process 1.)
 *
 * @returns the release
 * @throws {FolderInUseError}
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lock = join(folder, 'lock');
  const mine = `${lock}.${randomBytes(6).toString('hex')}`;
  const server = createServer((socket) => socket.destroy()).listen(mine);
  await once(server, 'listening');
  server.unref();
  try {
    await claim(lock, mine, folder);
  } catch (error) {
    server.close();
    throw error;
  }
  await unlink(mine);
  return async () => {
    await unlink(lock);
    server.close();
    await once(server, 'close');
  };
}

/** `link` never replaces what is there, so of several processes one succeeds. */
async function claim(lock: string, mine: string, folder: string): Promise<void> {
  for (;;) {
    try {
      return await link(mine, lock);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    if (await isAlive(lock)) throw new FolderInUseError(folder);
    await removeStale(lock, `${mine}.stale`, folder);
  }
}

/** Looks again once the lock is out of the way: another process may just have replaced the stale one. */
async function removeStale(lock: string, aside: string, folder: string): Promise<void> {
  try {
    await rename(lock, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if (await isAlive(aside)) {
    await rename(aside, lock);
    throw new FolderInUseError(folder);
  }
  await unlink(aside);
}

async function isAlive(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if (hasCode(error, 'ECONNREFUSED') || hasCode(error, 'ENOENT')) return false;
    throw error;
  } finally {
    socket.destroy();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}
