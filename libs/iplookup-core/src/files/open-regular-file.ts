import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { InputFileError } from './file.errors.js';

/** How a file is opened. */
export interface OpenRules {
  /** What stands for the file in messages; its path when absent. */
  readonly name?: string | undefined;
  /** False: the path's last part must not be a link. */
  readonly followLinks?: boolean;
}

/**
 * Opens a file for reading, and nothing else that a path may lead to: a pipe without a writer would hold the caller, and
 * with it the process, for ever.
 *
 * @throws {InputFileError} when it cannot be opened, or is a folder, pipe, socket or device
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
        `${name} is a pipe, not a file: pipe its content into the command, and give - as the file name`,
      );
    }
    throw new InputFileError(`${name} is a device, not a file`);
  } catch (error) {
    await file?.close();
    throw InputFileError.from(name, error);
  }
}

/** An input file, open for reading once. */
export interface InputFile {
  /** Bytes of the file as it lies on disk, where that is known: to measure progress by. */
  readonly size: number | undefined;
  /** Bytes of these read so far. */
  readonly bytesRead: () => number;
  /** Name of the CSV file in an archive. */
  readonly entryName: string | undefined;
  /** The CSV text's bytes; each chunk holds until the next one is asked for. @throws {InputFileError} while iterated */
  readonly content: AsyncIterable<Uint8Array>;
}
