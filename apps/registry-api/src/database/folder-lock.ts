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
 * Locks a folder against every other process on this machine until released, or until this process ends, however it
 * ends. The lock is a listening Unix socket: the kernel closes it with its process, so one that refuses a connection
 * is stale. (Process ids would not do: in containers every process may be 1.)
 *
 * @returns releases the lock
 * @throws {FolderInUseError}
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lock = join(folder, 'lock');
  const own = `${lock}.${randomBytes(6).toString('hex')}`;
  const server = createServer((socket) => socket.destroy()).listen(own);
  await once(server, 'listening');
  server.unref();
  try {
    await claim(lock, own, folder);
  } catch (error) {
    server.close();
    throw error;
  }
  await unlink(own);
  return async () => {
    await unlink(lock);
    server.close();
    await once(server, 'close');
  };
}

/** `link` never replaces a file, so only one of several processes succeeds. */
async function claim(lock: string, own: string, folder: string): Promise<void> {
  for (;;) {
    try {
      return await link(own, lock);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    if (await isAlive(lock)) throw new FolderInUseError(folder);
    await removeStale(lock, `${own}.stale`, folder);
  }
}

/** Checks again after moving the lock aside: another process may just have replaced the stale one. */
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
