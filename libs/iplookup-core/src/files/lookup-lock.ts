import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DamagedLockError, type FileLock, FileLockedError, takeFileLock } from '@svc/foundation/files';
import { errorCode, NO_LINKS, OutputFileError } from './file.errors.js';
import { partialPath } from './partial-file.js';

/** Longer than it takes until the lock of a process that cannot be found counts as abandoned. */
const WAIT_MS = 90_000;

export interface LookupLockOptions {
  /** Unique, see {@link releaseLocks}. Default: random. */
  readonly writer?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Excludes other processes that replace the same lookup file or restore a version of it: each keeps the file that it
 * replaces, and no other one.
 *
 * @returns undefined on a file system without hard links, where there are no locks
 * @throws {OutputFileError} if another process does not end
 */
export async function lockLookup(
  file: string,
  { writer = randomBytes(6).toString('hex'), signal }: LookupLockOptions = {},
): Promise<FileLock | undefined> {
  const by = `process ${process.pid} on ${hostname()}`;
  const holder = { id: writer, by, since: new Date().toISOString() };
  try {
    return await takeFileLock(join(dirname(file), `.${basename(file)}${ENDING}`), holder, {
      waitMs: WAIT_MS,
      signal,
      // Named like an incomplete lookup, which the next build removes.
      temporaryPath: () => partialPath(file, temporaryWriter(writer)),
    });
  } catch (error) {
    if (NO_LINKS.includes(errorCode(error))) return undefined;
    if (error instanceof FileLockedError)
      throw new OutputFileError(
        file,
        `${error.holder?.by ?? 'another process'} is replacing it; try again`,
        error,
      );
    if (error instanceof DamagedLockError) throw new OutputFileError(file, error.message, error);
    throw OutputFileError.from(file, error);
  }
}

/** Releases what a writer of this process holds, if it was terminated: its process goes on. */
export async function releaseLocks(folder: string, writer: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => each.endsWith(ENDING))) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.includes(`"id":${JSON.stringify(writer)}`)) await rm(path, { force: true });
  }
}

/** Marks a lock's temporary files. */
export const temporaryWriter = (writer: string): string => `${writer}-lock`;

const ENDING = '.lock';
