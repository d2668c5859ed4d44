import { opendir, stat } from 'node:fs/promises';
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
  readonly errors: string[];
}

interface ListOptions {
  /** Which files of folders to list. */
  readonly matches: (file: string) => boolean;
  /** Lists hidden files and folders, too, except those of Git. */
  readonly hidden: boolean;
}

const DOCUMENTS: ListOptions = { matches: (file) => documentFormat(file) !== undefined, hidden: false };

/**
 * Lists the files in folders, in their order, by default YAML, JSON and INI files that are not hidden; never those in
 * `node_modules`, and no symbolic links. Files that are named themselves are listed in any case.
 *
 * @throws {CommanderError} if there are too many
 */
export async function listDocuments(
  paths: readonly string[],
  signal: AbortSignal,
  { matches, hidden }: ListOptions = DOCUMENTS,
): Promise<DocumentList> {
  const files = new Set<string>();
  const errors: string[] = [];
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (isFolder) await addFolder(path, 0);
    else files.add(path);
  }
  return { files: [...files], errors };

  async function addFolder(folder: string, depth: number): Promise<void> {
    signal.throwIfAborted();
    const folders: string[] = [];
    const own: string[] = [];
    try {
      for await (const entry of await opendir(folder)) {
        if (entry.name === 'node_modules' || entry.name === '.git') continue;
        if (entry.name.startsWith('.') && !hidden) continue;
        if (entry.isDirectory()) folders.push(entry.name);
        else if (entry.isFile() && matches(entry.name)) own.push(entry.name);
      }
    } catch (error) {
      errors.push(`${folder}: the folder cannot be read: ${describeReadError(error)}`);
    }
    for (const name of own.sort()) files.add(join(folder, name));
    if (files.size > MAX_FILES)
      throw new CommanderError('failed', `more than ${MAX_FILES} files; name fewer folders`);
    if (depth < MAX_DEPTH) for (const name of folders.sort()) await addFolder(join(folder, name), depth + 1);
  }
}
