import { randomUUID } from 'node:crypto';
import { FileLockedError, takeFileLock } from '@svc/foundation/files';
import { describeProcess } from '../command-line/current-user.js';
import { CommanderError } from '../errors/commander-error.js';
import { decodeUtf8, describeReadError, readAtMostSync } from '../files/read-at-most.js';
import { digestOf, replaceFiles } from '../files/replace-files.js';
import { writeNewFile } from '../files/write-new-file.js';
import { InvalidTokenFileError, parseTokenFile, type StoredToken, tokenFileText } from './token-file.js';

/** Maximum size of the file, in bytes. */
const MAX_FILE_BYTES = 16 << 20;

/** Time to wait for another process that is changing the file. */
const LOCK_WAIT_MS = 10_000;

/**
 * Reads the file.
 *
 * @returns no tokens if it does not exist
 * @throws {CommanderError} `configuration`
 */
export function readTokenFile(file: string): StoredToken[] {
  return read(file).tokens;
}

/** @returns `before` as {@link replaceFiles} takes it; a missing file counts as empty */
function read(file: string): { readonly tokens: StoredToken[]; readonly before: string } {
  try {
    const content = readIfExists(file, MAX_FILE_BYTES);
    return { tokens: parseTokenFile(decodeUtf8(content)), before: digestOf(content) };
  } catch (error) {
    const reason = error instanceof InvalidTokenFileError ? error.message : describeReadError(error);
    throw new CommanderError(
      'configuration',
      `${file}: the file of API tokens cannot be used: ${reason}; restore it from a backup, or delete it, which revokes its tokens`,
      { cause: error },
    );
  }
}

/**
 * Changes the file. It has mode 0600 when it is created, and is replaced as a whole; only one process changes it at a time.
 *
 * @param change computes the new tokens
 * @throws {CommanderError}
 */
export async function changeTokenFile<T>(
  file: string,
  change: (tokens: readonly StoredToken[]) => { readonly tokens: readonly StoredToken[]; readonly result: T },
  signal: AbortSignal,
): Promise<T> {
  const lock = await takeLock(file, signal);
  try {
    const { tokens: former, before } = read(file);
    const { tokens, result } = change(former);
    await createIfMissing(file);
    await replaceFiles([{ path: file, content: tokenFileText(tokens), before }], signal);
    return result;
  } finally {
    await lock.release();
  }
}

async function takeLock(file: string, signal: AbortSignal) {
  const holder = { id: randomUUID(), by: describeProcess(), since: new Date().toISOString() };
  return takeFileLock(`${file}.lock`, holder, { waitMs: LOCK_WAIT_MS, signal }).catch((error: unknown) => {
    if (error instanceof FileLockedError) {
      const by = error.holder?.by ?? 'another process';
      throw new CommanderError('failed', `${file}: ${by} is changing it; try again`, { cause: error });
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason = code === 'ENOENT' ? 'the folder does not exist' : describeReadError(error);
    const message = `${file}: cannot lock the file of API tokens: ${reason}; set http.api_tokens to a file in a folder that can be written`;
    throw new CommanderError('failed', message, { cause: error });
  });
}

/** Reads a file; one that does not exist counts as empty. */
export function readIfExists(path: string, limit: number): Buffer {
  try {
    return readAtMostSync(path, limit);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Creates an empty file of mode 0600, unless the file exists. */
export async function createIfMissing(file: string): Promise<void> {
  await writeNewFile(file, '').catch((error: unknown) => {
    const { cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'EEXIST') throw error;
  });
}
