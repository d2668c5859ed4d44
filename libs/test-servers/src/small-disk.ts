import { spawnSync } from 'node:child_process';
import { mkdirSync, openSync, closeSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A separate file system that can be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Writes a file until the disk is full. */
  fill(): void;
  /** Removes that file. */
  makeRoom(): void;
  unmount(): void;
}

/** Whether this process may mount file systems: as root, outside most containers. */
export function mayMount(): boolean {
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
}

/**
 * Mounts an empty disk in memory.
 *
 * @param folder created if missing
 * @param files how many files and folders it may have, with its own. Default: any
 * @throws {Error} with the output of `mount`
 */
export function mountSmallDisk(folder: string, megabytes: number, files = 0): SmallDisk {
  mkdirSync(folder, { recursive: true });
  const options = `size=${megabytes}m,nr_inodes=${files},mode=1777`;
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder]);
  if (status !== 0) throw new Error(`no disk for tests: ${String(stderr)}`);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => fill(filler),
    makeRoom: () => rmSync(filler),
    unmount: () => spawnSync('umount', [folder]),
  };
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of [1 << 20, 4096, 1]) writeWhilePossible(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

function writeWhilePossible(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
