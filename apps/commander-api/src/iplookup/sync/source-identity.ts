import { stat } from 'node:fs/promises';
import { sha256OfFile } from '@svc/iplookup-core';
import { describeReadError } from '../../files/read-at-most.js';
import { CommanderError } from '../../errors/commander-error.js';

/** A file as it was at one moment. While this stays the same, so does its content. */
export interface FileStamp {
  readonly bytes: number;
  /** Nanoseconds since 1970, as text: they exceed a number's range. */
  readonly modified: string;
  readonly inode: string;
}

/** A file modified less than this before it was examined may change again within the same clock tick of the file system. */
const SETTLED_MS = 2_000;

/** @throws {CommanderError} `input_not_found` if there is no such file, `unusable_input` if it is not a file */
export async function stampOf(path: string): Promise<FileStamp> {
  const found = await stat(path, { bigint: true }).catch((error: unknown) => {
    throw new CommanderError('input_not_found', `${path}: ${describeReadError(error)}`, { cause: error });
  });
  if (!found.isFile()) throw new CommanderError('unusable_input', `${path}: is not a regular file`);
  return { bytes: Number(found.size), modified: String(found.mtimeNs), inode: String(found.ino) };
}

export function isSameStamp(a: FileStamp | undefined, b: FileStamp | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.bytes === b.bytes &&
    a.modified === b.modified &&
    a.inode === b.inode
  );
}

/** True if the file has been left alone long enough that its stamp can be trusted later. */
export function isSettled(stamp: FileStamp, now: number): boolean {
  return now - modifiedMs(stamp) > SETTLED_MS;
}

/** In milliseconds since 1970. */
export function modifiedMs({ modified }: FileStamp): number {
  return Number(BigInt(modified) / 1_000_000n);
}

/** SHA-256 of a file's content, in hexadecimal. @throws {CommanderError} if it cannot be read */
export async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  try {
    return await sha256OfFile(path, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new CommanderError('unusable_input', `${path}: ${describeReadError(error)}`, { cause: error });
  }
}
