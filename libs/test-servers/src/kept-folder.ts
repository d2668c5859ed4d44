import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Kept between runs. Only the user who runs the tests can read the databases and the password in it. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/test-databases/', import.meta.url));

/** Copies a folder into the cache. */
export type Keep = (folder: string) => Promise<void>;

/**
 * A folder that takes long to make, kept for later runs.
 *
 * @param name changes with the content
 * @param make calls `keep` once
 * @returns the kept folder
 */
export async function keptFolder(name: string, make: (keep: Keep) => Promise<void>): Promise<string> {
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

/** Copies what a folder contains: a thousand files, for which Node's own `cp` takes a second of CPU time. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await promisify(execFile)('cp', ['-R', `${from}/.`, to]);
}
