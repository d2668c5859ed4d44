import {
  type BigIntStats,
  type Dirent,
  lstatSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open, rename } from 'node:fs/promises';

// Synchronous calls: a thousand small files take a tenth of the time. A disk that is waited for may take its time.

const FILE_MODE = 0o644;

/** What there is at a path; links are not followed, and undefined is nothing. */
export function status(path: string): BigIntStats | undefined {
  return unlessMissing(() => lstatSync(path, { bigint: true }));
}

/** A folder's entries by name; undefined when it does not exist. */
export function list(folder: string): Dirent[] | undefined {
  const entries = unlessMissing(() => readdirSync(folder, { withFileTypes: true }));
  return entries?.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * A number that changes with each write by rename: the time alone is too coarse, but file and time together are new.
 * Folders always have version 0.
 */
export function versionOf(found: BigIntStats): number {
  if (found.isDirectory()) return 0;
  return Number((found.mtimeNs / 1_000n + found.ino * 1_000_003n) % BigInt(Number.MAX_SAFE_INTEGER));
}

/** Readers never see half a file: it appears by a rename. */
export function writeWhole(target: string, data: Uint8Array, draft: string): void {
  writeFileSync(draft, data, { flag: 'wx', mode: FILE_MODE });
  renameSync(draft, target);
}

/** As `writeWhole`, and synced to disk. */
export async function writeFlushed(target: string, data: Uint8Array, draft: string): Promise<void> {
  const file = await open(draft, 'wx', FILE_MODE);
  try {
    await file.writeFile(data);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, target);
}

export function removeNode(target: string): void {
  if (status(target)?.isDirectory()) rmdirSync(target);
  else rmSync(target);
}

/** Undefined, not an error, when there is no such file. */
export function unlessMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    return undefined;
  }
}
