import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/**
 * What a path leads to that must not be replaced by a file.
 *
 * @returns undefined for a regular file, a folder, or nothing
 */
export async function specialFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return undefined;
  if (found.isFIFO()) return 'a pipe';
  if (found.isSocket()) return 'a socket';
  if (!found.isFile()) return 'a device';
  return (await isOpenFile(path)) ? 'a file that is open' : undefined;
}

/** Links such as /dev/stderr and /proc/self/fd/3 stand for open files. */
async function isOpenFile(path: string): Promise<boolean> {
  const link = await lstat(path);
  return link.isSymbolicLink() && /^\/(dev$|proc\/)/.test(await realpath(dirname(path)));
}

/**
 * The descriptor that such a link stands for.
 *
 * @returns undefined if it is another process's
 */
export async function openDescriptor(path: string): Promise<number | undefined> {
  const folder = await realpath(dirname(path));
  // Such as /dev/stderr.
  if (folder === '/dev') return openDescriptor(await readlink(path));
  return folder === `/proc/${process.pid}/fd` ? Number(basename(path)) : undefined;
}
