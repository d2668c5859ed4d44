import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, open, readdir, rename, rm, rmdir } from 'node:fs/promises';

/** What there is at a path; links are not followed, and undefined is nothing. */
export async function status(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch(ignoreMissing);
}

/** A folder's entries by name; none when it does not exist. */
export async function list(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing);
  return (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * A number that changes with each write by rename: the time alone is too coarse, but file and time together are new.
 * Folders always have version 0.
 */
export function versionOf(found: BigIntStats): number {
  if (found.isDirectory()) return 0;
  return Number((found.mtimeNs / 1_000n + found.ino * 1_000_003n) % BigInt(Number.MAX_SAFE_INTEGER));
}

/**
 * Nobody sees half a file: it appears by a rename.
 *
 * @param flush waits for the disk; a library needs none, since the next load compares all of it
 */
export async function writeWhole(
  target: string,
  data: Uint8Array,
  draft: string,
  flush: boolean,
): Promise<void> {
  const file = await open(draft, 'wx', 0o644);
  try {
    await file.writeFile(data);
    if (flush) await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, target);
}

export async function removeNode(target: string): Promise<void> {
  if ((await status(target))?.isDirectory()) await rmdir(target);
  else await rm(target);
}

/** What is not there is undefined, not a fault. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
