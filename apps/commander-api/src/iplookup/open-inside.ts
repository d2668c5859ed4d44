import { type FileHandle, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { InputFileError, openRegularFile } from '@svc/iplookup-core';
import type { CommanderConfig } from '../config/commander-config.js';
import { CommanderError } from '../errors/commander-error.js';

/** A file of a folder, open: what it holds does not change when another takes its name. */
export interface FileInside {
  readonly handle: FileHandle;
  /** Its path without links. */
  readonly path: string;
}

/**
 * Opens a file by a name without folder. A link is followed as long as it stays in the folder: what is opened is the path
 * that was checked, not the link, which may lead elsewhere by then.
 *
 * @returns why not, when there is no such file, or none that may be read
 * @throws {CommanderError} for a name that could mean another folder, or a file that cannot be opened
 */
export async function openInside(
  folder: string,
  name: string,
): Promise<FileInside | 'missing' | 'outside' | 'irregular'> {
  assertBareName(name);
  const [path, root] = await Promise.all([pathOf(join(folder, name)), pathOf(folder)]);
  if (path === undefined || root === undefined) return 'missing';
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return 'outside';
  const handle = await openChecked(path, name);
  if (handle === undefined) return 'irregular';
  // A folder on the way may have become a link since.
  if ((await pathOf(path)) === path) return { handle, path };
  await handle.close();
  return 'outside';
}

/** The path without links; undefined when it leads nowhere. */
async function pathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

async function openChecked(path: string, name: string): Promise<FileHandle | undefined> {
  try {
    return await openRegularFile(path, { name, followLinks: false });
  } catch (error) {
    if (!(error instanceof InputFileError)) throw error;
    // What was opened and is no file has no cause in the system.
    if (error.cause === undefined) return undefined;
    throw new CommanderError(error.missing ? 'input_not_found' : 'failed', `${error.message}.`, {
      cause: error,
    });
  }
}

/** @throws {CommanderError} when the name could mean another folder */
export function assertBareName(name: string): void {
  if (name !== '' && !name.startsWith('.') && name !== '-' && !/[/\\\0]/.test(name)) return;
  throw new CommanderError(
    'invalid_name',
    `${JSON.stringify(name)} is no file name: it must not name a folder.`,
  );
}

const REFUSALS = {
  missing: { code: 'input_not_found', detail: (name: string) => `There is no input file ${name}.` },
  outside: {
    code: 'unusable_input',
    detail: (name: string) => `The input file ${name} leads out of its folder.`,
  },
  irregular: {
    code: 'unusable_input',
    detail: (name: string) => `The input file ${name} is no regular file.`,
  },
} as const;

/**
 * The input file that a request names: a regular one in the folder of input files, by a name without folder, and not a
 * link that leads elsewhere.
 *
 * @returns its path without links
 * @throws {CommanderError}
 */
export async function sourceFile(config: CommanderConfig, name: string): Promise<string> {
  const folder = config.iplookup.source_path;
  if (folder === undefined)
    throw new CommanderError('configuration', 'iplookup.source_path is not configured.');
  const found = await openInside(folder, name);
  if (typeof found === 'string') {
    const { code, detail } = REFUSALS[found];
    throw new CommanderError(code, detail(JSON.stringify(name)));
  }
  await found.handle.close();
  return found.path;
}
