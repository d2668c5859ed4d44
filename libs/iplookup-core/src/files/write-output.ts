import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { OutputFileError } from './file.errors.js';
import { specialFile } from './special-file.js';
import { writeChunks } from './write-chunks.js';
import { writeFileAtomically, type WriteOptions } from './write-file-atomically.js';

/**
 * Writes what a user asked for to the path that they gave: atomically to a file in an existing folder, directly into a pipe or
 * device, which stays in its place.
 *
 * @throws {OutputFileError} if it cannot be written; also whatever `content` throws
 */
export async function writeOutput(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { gzip, signal }: Pick<WriteOptions, 'gzip' | 'signal'>,
): Promise<void> {
  if ((await specialFile(path)) === undefined) {
    await writeFileAtomically(path, content, { gzip, makeFolder: false, signal });
    return;
  }
  try {
    await writeChunks(async () => open(path, constants.O_WRONLY), content, { gzip, signal, flush: false });
  } catch (error) {
    throw OutputFileError.from(path, error);
  }
}
