import { isUtf8 } from 'node:buffer';
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
import { open } from 'node:fs/promises';

// Synchronous calls are ten times as fast for a thousand small files.

export const FILE_MODE = 0o644;

/** The status of a path, without following links; undefined if nothing exists. */
export function status(path: string): BigIntStats | undefined {
  return unlessMissing(() => lstatSync(path, { bigint: true }));
}

/** An entry of a folder. */
export interface FolderEntry {
  /** An approximation if the name is not valid UTF-8: nothing can be found by it. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Not part of the library: its name starts with a dot, or is not valid UTF-8. */
  readonly isHidden: boolean;
}

/** A folder's entries by name; undefined when it does not exist. */
export function list(folder: string): FolderEntry[] | undefined {
  const entries = unlessMissing(() => readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }));
  return entries?.map(toEntry).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toEntry(entry: Dirent<Buffer>): FolderEntry {
  const name = entry.name.toString();
  return { name, isFolder: entry.isDirectory(), isHidden: name.startsWith('.') || !isUtf8(entry.name) };
}

/**
 * A number that changes with each write by rename. The time alone is too coarse, so it is combined with the inode.
 * Folders always have version 0.
 */
export function versionOf(found: BigIntStats): number {
  if (found.isDirectory()) return 0;
  return Number((found.mtimeNs / 1_000n + found.ino * 1_000_003n) % BigInt(Number.MAX_SAFE_INTEGER));
}

/** Writes atomically, by renaming, so that readers never see a partial file. */
export function writeWhole(target: string, data: Uint8Array, draft: string): void {
  writeFileSync(draft, data, { flag: 'wx', mode: FILE_MODE });
  renameSync(draft, target);
}

const SYNCS_AT_ONCE = 8;

/** Syncs the content of files to disk, in parallel, since each sync is slow. Files removed since are skipped. */
export async function syncFiles(paths: Iterable<string>): Promise<void> {
  const rest = paths[Symbol.iterator]();
  const syncOn = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await syncFile(next.value);
  };
  await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, syncOn));
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path).catch(unlessGone);
  if (!file) return;
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

export function removeNode(target: string): void {
  if (status(target)?.isDirectory()) rmdirSync(target);
  else rmSync(target);
}

/** Returns undefined instead of throwing if the file does not exist. */
export function unlessMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    return unlessGone(error);
  }
}

function unlessGone(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
}
