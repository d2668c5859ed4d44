import { randomBytes } from 'node:crypto';
import { chmod, chown, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommanderError } from '../errors/commander-error.js';

/** An existing file and its new content. */
export interface Replacement {
  readonly path: string;
  readonly content: string;
}

interface Draft {
  readonly path: string;
  /** The file itself, if `path` is a link to it. */
  readonly target: string;
  readonly draft: string;
}

/**
 * Replaces the content of existing files durably: new files are written next to them, synced and renamed. Mode, owner and
 * symbolic links are preserved. Files are replaced once all are written; from then on a signal no longer stops it.
 *
 * @throws {CommanderError} if it cannot; the message says which files were changed, if any
 */
export async function replaceFiles(replacements: readonly Replacement[], signal: AbortSignal): Promise<void> {
  const drafts: Draft[] = [];
  try {
    for (const replacement of replacements) {
      signal.throwIfAborted();
      drafts.push(await writeDraft(replacement));
    }
    signal.throwIfAborted();
    for (const [done, { path, target, draft }] of drafts.entries()) {
      await rename(draft, target).catch((error: unknown) => {
        throw halfDone(drafts, done, path, error);
      });
    }
  } finally {
    await Promise.all(drafts.map(({ draft }) => remove(draft)));
  }
}

async function writeDraft({ path, content }: Replacement): Promise<Draft> {
  let draft: string | undefined;
  try {
    const target = await realpath(path);
    draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
    await writeSynced(draft, content);
    await takeOver(draft, target);
    return { path, target, draft };
  } catch (error) {
    if (draft !== undefined) await remove(draft);
    const reason = error instanceof OwnerError ? error.message : codeOf(error);
    throw new CommanderError('failed', `${path}: cannot replace the file (${reason})\nno file was changed`, {
      cause: error,
    });
  }
}

async function writeSynced(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

class OwnerError extends Error {
  override readonly name = 'OwnerError';
}

/** Gives the draft the owner and mode of the file that it replaces. */
async function takeOver(draft: string, target: string): Promise<void> {
  const { mode, uid, gid } = await stat(target);
  const own = await stat(draft);
  if (own.uid !== uid || own.gid !== gid) {
    await chown(draft, uid, gid).catch((cause: unknown) => {
      throw new OwnerError(
        `its owner ${uid}:${gid} could not be preserved, ${codeOf(cause)}; run svccmd as its owner or as root`,
        { cause },
      );
    });
  }
  await chmod(draft, mode & 0o7777);
}

function halfDone(drafts: readonly Draft[], done: number, path: string, error: unknown): CommanderError {
  const lines = drafts.map((draft, index) => `${draft.path}: ${index < done ? 'changed' : 'not changed'}`);
  const summary = done === 0 ? ['no file was changed'] : lines;
  return new CommanderError(
    'failed',
    [`${path}: cannot replace the file (${codeOf(error)})`, ...summary].join('\n'),
    { cause: error },
  );
}

function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code;
}

async function remove(draft: string): Promise<void> {
  await rm(draft, { force: true }).catch(() => undefined);
}
