import { constants, write } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OutputFileError } from './file.errors.js';
import { openDescriptor, specialFile } from './special-file.js';
import { type OutputFile, writeChunks } from './write-chunks.js';
import { writeFileAtomically, type WriteOptions } from './write-file-atomically.js';

/** Between attempts to open a pipe that has no reader. */
const RETRY_MS = 100;

/**
 * Writes what a user asked for to the path that they gave: atomically to a file in an existing folder, directly into a pipe,
 * device or open file, which stays in its place.
 *
 * @throws {OutputFileError} if it cannot be written; also whatever `content` throws
 */
export async function writeOutput(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { gzip, signal }: Pick<WriteOptions, 'gzip' | 'signal'>,
): Promise<void> {
  const special = await specialFile(path);
  if (special === undefined) {
    await writeFileAtomically(path, content, { gzip, makeFolder: false, signal });
    return;
  }
  const openFile = async (): Promise<OutputFile> => {
    if (special === 'a pipe') return openPipe(path, signal);
    const descriptor = special === 'a file that is open' ? await openDescriptor(path) : undefined;
    // To another process's open file, at least nothing is lost.
    return descriptor === undefined
      ? open(path, constants.O_WRONLY | constants.O_APPEND)
      : byDescriptor(descriptor);
  };
  try {
    await writeChunks(openFile, content, { gzip, signal, flush: false });
  } catch (error) {
    throw OutputFileError.from(path, error);
  }
}

/** Waits for a reader. A blocking `open` would do so, too, but could not be interrupted. */
async function openPipe(path: string, signal: AbortSignal | undefined): Promise<FileHandle> {
  for (;;) {
    const ready = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(noReader);
    if (ready === undefined) await sleep(RETRY_MS, undefined, { signal });
    // Without a writer in between, the reader would end.
    else return open(path, constants.O_WRONLY).finally(async () => ready.close());
  }
}

function noReader(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENXIO') throw error;
}

/** Writes where the descriptor's other users, such as the shell, have stopped. It stays open for them. */
function byDescriptor(descriptor: number): OutputFile {
  const nothing = async (): Promise<void> => undefined;
  const writeFrom = promisify(write);
  return {
    write: async (bytes, offset) => writeFrom(descriptor, bytes, offset),
    datasync: nothing,
    sync: nothing,
    close: nothing,
  };
}
