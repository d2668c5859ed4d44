import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Lookup, openLookup } from '../mmdb/open-lookup.js';
import { errorCode, InputFileError } from './file.errors.js';
import { openRegularFile } from './open-regular-file.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';

/** Read at most this much at once: one read of more than 2 GiB fails. */
const READ_BYTES = 1 << 30;

/** A gzipped lookup must not become larger than this. */
const MAX_UNZIPPED_BYTES = 2 ** 32 - 1;

/**
 * Reads a lookup file into memory; one that is gzipped is decompressed.
 *
 * @throws {InputFileError} when it cannot be read
 */
export async function readLookupBytes(path: string): Promise<Uint8Array> {
  const file = await openRegularFile(path);
  try {
    return await readOpenLookup(file, path);
  } finally {
    await file.close();
  }
}

/**
 * The same of a file that is open already, and stays so.
 *
 * @param name of the file, for messages
 * @param maxUnzipped bytes that a gzipped file may become
 * @throws {InputFileError} when it cannot be read
 */
export async function readOpenLookup(
  file: FileHandle,
  name: string,
  maxUnzipped: number = MAX_UNZIPPED_BYTES,
): Promise<Uint8Array> {
  try {
    const bytes = Buffer.allocUnsafeSlow((await file.stat()).size);
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await file.read(bytes, at, Math.min(READ_BYTES, bytes.length - at), at);
      if (bytesRead === 0) throw new InputFileError(`${name} became shorter while it was read`);
      at += bytesRead;
    }
    const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return zipped ? await promisify(gunzip)(bytes, { maxOutputLength: maxUnzipped }) : bytes;
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') {
      throw new InputFileError(`${name} becomes larger than ${maxUnzipped} bytes when it is decompressed`, {
        cause: error,
      });
    }
    throw InputFileError.from(name, error);
  }
}

/**
 * Reads and opens a lookup file.
 *
 * @throws {InputFileError} when it cannot be read
 * @throws {LookupFormatError} that names the file, when it is not a lookup file
 */
export async function readLookupFile(path: string): Promise<Lookup> {
  const bytes = await readLookupBytes(path);
  return withFileName(path, () => openLookup(bytes));
}

/** Runs `run`; a {@link LookupFormatError} gets the name of the file. */
export function withFileName<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof LookupFormatError
      ? new LookupFormatError(`${path}: ${error.message}`, { cause: error })
      : error;
  }
}
