import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { documentFormat } from '@svc/password-format';
import { CommanderError } from '../errors/commander-error.js';
import { describeReadError } from '../files/read-at-most.js';

/** In total; a folder with more is likely the wrong one. */
const MAX_FILES = 100_000;

/** Deeper folders are likely a loop of mounts. */
const MAX_DEPTH = 64;

/** The files to work on, and those that could not be listed. */
export interface DocumentList {
  readonly files: readonly string[];
  /** Symbolic links in folders, which are not followed. */
  readonly links: readonly string[];
  readonly errors: string[];
}

/** Which files of folders to list. */
type Matches = (file: string) => boolean;

export const EVERY_FILE: Matches = () => true;

const DOCUMENTS: Matches = (file) => documentFormat(file) !== undefined;

/**
 * Lists the files in folders, by default YAML, JSON and INI files: hidden ones as well, since passwords are often in `.env`,
 * but nothing in `.git` and `node_modules`, and no symbolic links. Files that are named themselves are always listed.
 * Each file is listed once, in the given order.
 *
 * @throws {CommanderError} if there are too many
 */
export async function listDocuments(
  paths: readonly string[],
  signal: AbortSignal,
  matches = DOCUMENTS,
): Promise<DocumentList> {
  const files = new Map<string, string>();
  const links: string[] = [];
  const errors: string[] = [];
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    const real = await realpath(path).catch(() => path);
    if (isFolder) await addFolder(path, real, 0);
    else add(real, path);
  }
  return { files: [...files.values()], links, errors };

  function add(real: string, path: string): void {
    if (!files.has(real)) files.set(real, path);
  }

  async function addFolder(folder: string, real: string, depth: number): Promise<void> {
    signal.throwIfAborted();
    const folders: string[] = [];
    const own: string[] = [];
    try {
      for await (const entry of await opendir(folder)) {
        if (entry.name === 'node_modules' || entry.name === '.git') continue;
        if (entry.isDirectory()) folders.push(entry.name);
        else if (entry.isFile() && matches(entry.name)) own.push(entry.name);
        else if (entry.isSymbolicLink() && matches(entry.name)) links.push(join(folder, entry.name));
      }
    } catch (error) {
      errors.push(`${folder}: the folder cannot be read: ${describeReadError(error)}`);
    }
    for (const name of own.sort()) add(join(real, name), join(folder, name));
    if (files.size > MAX_FILES)
      throw new CommanderError('failed', `more than ${MAX_FILES} files; pass fewer folders`);
    if (depth < MAX_DEPTH)
      for (const name of folders.sort()) await addFolder(join(folder, name), join(real, name), depth + 1);
  }
}
