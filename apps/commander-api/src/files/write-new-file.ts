import { open, rm } from 'node:fs/promises';
import { CommanderError } from '../errors/commander-error.js';

/**
 * Creates a file, by default of mode 0600.
 *
 * @throws {CommanderError} if it exists or cannot be written; leaves nothing behind
 */
export async function writeNewFile(path: string, content: string, mode = 0o600): Promise<void> {
  const file = await open(path, 'wx', mode).catch((error: unknown) => {
    throw toWriteError(path, 'create', error);
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw toWriteError(path, 'write', error);
  } finally {
    await file.close();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it already exists and is not overwritten',
  ENOENT: 'the folder does not exist: create it first',
  EACCES: 'permission denied (EACCES)',
};

function toWriteError(path: string, verb: string, error: unknown): CommanderError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return new CommanderError('failed', `${path}: cannot ${verb} the file (${REASONS[code] ?? code})`, {
    cause: error,
  });
}
