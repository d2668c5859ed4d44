import { hash, randomBytes } from 'node:crypto';
import { chmod, chown, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execFile } from 'node:child_process';
import { CommanderError } from '../errors/commander-error.js';

/** An existing file and its new content. */
export interface Replacement {
  readonly path: string;
  readonly content: string;
  /** {@link digestOf} the content that was read: a file that has changed since is not replaced. */
  readonly before: string;
}

export const digestOf = (content: Uint8Array): string => hash('sha256', content, 'base64');

interface Draft {
  readonly path: string;
  /** The file itself, if `path` is a link to it. */
  readonly target: string;
  readonly before: string;
  readonly draft: string;
}

/**
 * Replaces the content of existing files durably: new files are written next to them, synced and renamed. Mode, owner and
 * symbolic links are preserved; a file with an access control list is refused. Files are replaced once all are written; from
 * then on a signal no longer stops it.
 *
 * @throws {CommanderError} if it cannot; the message says which files were changed, if any
 */
export async function replaceFiles(replacements: readonly Replacement[], signal: AbortSignal): Promise<void> {
  await refuseAccessLists(replacements.map(({ path }) => path));
  const drafts: Draft[] = [];
  try {
    for (const replacement of replacements) {
      signal.throwIfAborted();
      drafts.push(await writeDraft(replacement));
    }
    for (const draft of drafts) await assertUnchanged(draft).catch(failing(draft.path));
    signal.throwIfAborted();
    for (const [done, draft] of drafts.entries())
      await replaceOne(draft).catch((error: unknown) => {
        throw halfDone(drafts, done, draft.path, error);
      });
  } finally {
    await Promise.all(drafts.map(({ draft }) => remove(draft)));
  }
}

async function replaceOne(draft: Draft): Promise<void> {
  await assertUnchanged(draft);
  await rename(draft.draft, draft.target);
}

/** Why a file must not be replaced. */
class ReplaceError extends Error {
  override readonly name = 'ReplaceError';
}

async function assertUnchanged({ target, before }: Draft): Promise<void> {
  if (digestOf(await readFile(target)) === before) return;
  throw new ReplaceError('another program has changed it since it was read; run the command again');
}

async function refuseAccessLists(paths: readonly string[]): Promise<void> {
  if (!(await hasAccessList(paths))) return;
  const reason =
    'it has an access control list, which would be lost; remove it with "setfacl -b", and set it again afterwards';
  for (const path of paths)
    if (await hasAccessList([path])) throw cannotReplace(path, new ReplaceError(reason));
}

async function writeDraft({ path, content, before }: Replacement): Promise<Draft> {
  let draft: string | undefined;
  try {
    const target = await realpath(path);
    draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
    await writeSynced(draft, content);
    await takeOver(draft, target);
    return { path, target, draft, before };
  } catch (error) {
    if (draft !== undefined) await remove(draft);
    throw cannotReplace(path, error);
  }
}

function cannotReplace(path: string, error: unknown): CommanderError {
  const reason = `${path}: cannot replace the file (${reasonOf(error)})`;
  return new CommanderError('failed', [reason, 'no file was changed'], { cause: error });
}

const failing =
  (path: string) =>
  (error: unknown): never => {
    throw cannotReplace(path, error);
  };

async function writeSynced(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Gives the draft the owner and mode of the file that it replaces. */
async function takeOver(draft: string, target: string): Promise<void> {
  const { mode, uid, gid } = await stat(target);
  const own = await stat(draft);
  if (own.uid !== uid || own.gid !== gid) {
    await chown(draft, uid, gid).catch((cause: unknown) => {
      throw new ReplaceError(
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
  return new CommanderError('failed', [`${path}: cannot replace the file (${reasonOf(error)})`, ...summary], {
    cause: error,
  });
}

const reasonOf = (error: unknown): string => (error instanceof ReplaceError ? error.message : codeOf(error));

function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code;
}

async function remove(draft: string): Promise<void> {
  await rm(draft, { force: true }).catch(() => undefined);
}

/** Paths per run of `ls`. */
const BATCH = 256;

/**
 * True if a file, or the target of a link, has an access control list (POSIX.1e): `ls -l` marks it with a `+`; Node has no call
 * for it. Where `ls` does not show it, as with BusyBox, files count as having none.
 */
async function hasAccessList(paths: readonly string[]): Promise<boolean> {
  for (let start = 0; start < paths.length; start += BATCH) {
    const listed = await list(paths.slice(start, start + BATCH));
    if (/^[-bcdlps][-rwxsStT]{9}\+/m.test(listed)) return true;
  }
  return false;
}

async function list(paths: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('ls', ['-ldLq', '--', ...paths], { maxBuffer: 16 << 20 }, (_error, stdout) => resolve(stdout));
  });
}
