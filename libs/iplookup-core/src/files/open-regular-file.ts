import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { InputFileError } from './file.errors.js';

/** How a file is opened. */
export interface OpenRules {
  /** Name for messages. Default: its path. */
  readonly name?: string | undefined;
  /** If false, the path itself must not be a link. Default: true. */
  readonly followLinks?: boolean | undefined;
}

/**
 * Opens a regular file for reading, and rejects anything else: a pipe without a writer would block the process forever.
 *
 * @throws {InputFileError} if it cannot be opened, or is a folder, pipe, socket or device
 */
export async function openRegularFile(
  path: string,
  { name = path, followLinks = true }: OpenRules = {},
): Promise<FileHandle> {
  const links = followLinks ? 0 : constants.O_NOFOLLOW;
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | links);
    const stat = await file.stat();
    if (stat.isFile()) return file;
    if (stat.isDirectory()) throw new InputFileError(`${name} is a folder, not a file`);
    if (stat.isFIFO()) {
      throw new InputFileError(
        `${name} is a pipe, not a file: pipe its content into the command, and pass - as the file name`,
      );
    }
    throw new InputFileError(`${name} is a device, not a file`);
  } catch (error) {
    await file?.close();
    throw InputFileError.from(name, error);
  }
}

/** An open input file, which can be read once. */
export interface InputFile {
  /** Size on disk, if known, for measuring progress. */
  readonly size: number | undefined;
  /** Bytes of these read so far. */
  readonly bytesRead: () => number;
  /** Where the content can be read once more; absent if the file is packed, or not read as it is. */
  readonly plain?: { readonly path: string; readonly rules: OpenRules };
  /** Name of the CSV file in an archive. */
  readonly entryName: string | undefined;
  /**
   * The CSV text's bytes; each chunk is valid until the next one is requested. @throws {InputFileError} on iteration
   */
  readonly content: AsyncIterable<Uint8Array>;
  /** Closes the file if its content was begun, but will not be read. */
  readonly close?: () => Promise<unknown>;
}
