import { randomBytes } from 'node:crypto';
import { chmod, chown, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../cli/exit-code.js';

/**
 * Writes a file of mode 0600 that is not there yet.
 *
 * @throws {CommandError} when it is there or cannot be written; nothing is left behind then
 */
export async function writeNewFile(path: string, content: string): Promise<void> {
  const file = await attempt(path, 'make', () => open(path, 'wx', 0o600));
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

/**
 * Replaces a file's content at once and for good: written beside it, synced, renamed. Mode and owner stay, and so does a
 * symbolic link to it.
 *
 * @throws {CommandError} when it cannot; the former content stands then
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const target = await attempt(path, 'find', () => realpath(path));
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  await attempt(path, 'write', async () => {
    try {
      await writeDraft(draft, content, target);
      await rename(draft, target);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  });
}

async function writeDraft(draft: string, content: string, target: string): Promise<void> {
  const { mode, uid, gid } = await stat(target);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  const own = await stat(draft);
  if (own.uid !== uid || own.gid !== gid) await chown(draft, uid, gid);
  await chmod(draft, mode & 0o7777);
}

async function attempt<T>(path: string, verb: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toCommandError(path, verb, error);
  }
}

function toCommandError(path: string, verb: string, error: unknown): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  const reason = code === 'EEXIST' ? 'it is there already, and is not overwritten' : code;
  return new CommandError(`${path}: cannot ${verb} the file (${reason})`, undefined, { cause: error });
}
