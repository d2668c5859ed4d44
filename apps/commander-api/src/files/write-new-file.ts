import { open, rm } from 'node:fs/promises';
import { CommanderError } from '../errors/commander-error.js';

/**
 * Writes a file of mode 0600 that is not there yet.
 *
 * @throws {CommanderError} when it is there or cannot be written; nothing is left behind then
 */
export async function writeNewFile(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw toCommandError(path, 'make', error);
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw toCommandError(path, 'write', error);
  } finally {
    await file.close();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is there already, and is not overwritten',
  ENOENT: 'there is no such folder: make it first',
  EACCES: 'no right to (EACCES)',
};

function toCommandError(path: string, verb: string, error: unknown): CommanderError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return new CommanderError('failed', `${path}: cannot ${verb} the file (${REASONS[code] ?? code})`, {
    cause: error,
  });
}
