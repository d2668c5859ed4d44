import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Lookup, openLookup } from '../mmdb/open-lookup.js';
import { expansionError, RATIO_FREE_BYTES } from './expansion-error.js';
import { errorCode, InputFileError } from './file.errors.js';
import { openRegularFile } from './open-regular-file.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';

/** Reads of more than 2 GiB at once fail. */
const READ_BYTES = 1 << 30;

/** Limits of a gzipped lookup file, which is decompressed into memory. */
export interface UnzipLimits {
  /** Default: as many as the format allows. */
  readonly maxLookupBytes?: number;
  /** Maximum compression ratio. Default: none. */
  readonly maxRatio?: number;
}

/** Maximum size of a lookup. */
const MAX_FORMAT_BYTES = 2 ** 32 - 1;

/**
 * Reads a lookup file into memory, decompressing it if gzipped.
 *
 * @throws {InputFileError} if it cannot be read
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
 * Like {@link readLookupBytes}, for an open file, which stays open.
 *
 * @param name of the file, for messages
 * @throws {InputFileError} if it cannot be read
 */
export async function readOpenLookup(
  file: FileHandle,
  name: string,
  { maxLookupBytes = MAX_FORMAT_BYTES, maxRatio = Infinity }: UnzipLimits = {},
): Promise<Uint8Array> {
  let maxUnzipped = maxLookupBytes;
  try {
    const bytes = Buffer.allocUnsafeSlow((await file.stat()).size);
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await file.read(bytes, at, Math.min(READ_BYTES, bytes.length - at), at);
      if (bytesRead === 0) throw new InputFileError(`${name} became shorter while it was read`);
      at += bytesRead;
    }
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
    maxUnzipped = Math.min(maxLookupBytes, Math.max(RATIO_FREE_BYTES, bytes.length * maxRatio));
    return await promisify(gunzip)(bytes, { maxOutputLength: maxUnzipped });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') {
      if (maxUnzipped < maxLookupBytes) throw expansionError(name, maxRatio, error);
      throw new InputFileError(
        `${name} becomes larger than ${maxLookupBytes} bytes when it is decompressed`,
        {
          cause: error,
        },
      );
    }
    throw InputFileError.from(name, error);
  }
}

/**
 * Reads and opens a lookup file.
 *
 * @throws {InputFileError} if it cannot be read
 * @throws {LookupFormatError} naming the file, if it is not a lookup file
 */
export async function readLookupFile(path: string): Promise<Lookup> {
  const bytes = await readLookupBytes(path);
  return withFileName(path, () => openLookup(bytes));
}

/** Adds the file name to a {@link LookupFormatError} thrown by `run`. */
export function withFileName<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw nameFile(path, error);
  }
}

/** @returns a {@link LookupFormatError} with the file's name; any other error unchanged */
export function nameFile(path: string, error: unknown): unknown {
  return error instanceof LookupFormatError
    ? new LookupFormatError(`${path}: ${error.message}`, { cause: error })
    : error;
}
