import { type FileHandle, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { InputFileError, openRegularFile } from '@svc/iplookup-core';
import type { CommanderConfig } from '../../config/commander-config.js';
import { CommanderError } from '../../errors/commander-error.js';

/** An open file of a folder: its content does not change when another file takes its name. */
export interface FileInside {
  readonly handle: FileHandle;
  /** Its path without links. */
  readonly path: string;
}

/**
 * Opens a file by a plain name. Links are followed within the folder: the file is opened by the checked path, since a link
 * may have changed in the meantime.
 *
 * @returns the reason, if there is no such file or it must not be read
 * @throws {CommanderError} for a name that could mean another folder, or a file that cannot be opened
 */
export async function openInside(
  folder: string,
  name: string,
): Promise<FileInside | 'missing' | 'outside' | 'irregular'> {
  assertBareName(name);
  const [path, root] = await Promise.all([pathOf(join(folder, name), name), pathOf(folder, name)]);
  if (path === undefined || root === undefined) return 'missing';
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return 'outside';
  const handle = await openChecked(path, name);
  if (typeof handle === 'string') return handle;
  // A parent folder may have become a link in the meantime.
  if ((await realpath(path).catch(() => undefined)) === path) return { handle, path };
  await handle.close();
  return 'outside';
}

/** Errors of paths that cannot exist, or lead nowhere. */
const MISSING = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

/** The path without links, if it exists. */
async function pathOf(path: string, name: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (MISSING.includes(code)) return undefined;
    throw new CommanderError('failed', `${name} cannot be read: ${code || message}.`, { cause: error });
  }
}

async function openChecked(path: string, name: string): Promise<FileHandle | 'missing' | 'irregular'> {
  try {
    return await openRegularFile(path, { name, followLinks: false });
  } catch (error) {
    if (!(error instanceof InputFileError)) throw error;
    // Without a system error, it exists but is not a regular file.
    if (error.cause === undefined) return 'irregular';
    if (error.missing) return 'missing';
    throw new CommanderError('failed', `${error.message}.`, { cause: error });
  }
}

/** @throws {CommanderError} when the name could mean another folder */
export function assertBareName(name: string): void {
  if (name !== '' && !name.startsWith('.') && name !== '-' && !/[/\\\0]/.test(name)) return;
  throw new CommanderError('invalid_name', `${JSON.stringify(name)} is not a plain file name.`);
}

const REFUSALS = {
  missing: { code: 'input_not_found', detail: (name: string) => `Input file not found: ${name}.` },
  outside: {
    code: 'unusable_input',
    detail: (name: string) => `The input file ${name} points outside its folder.`,
  },
  irregular: {
    code: 'unusable_input',
    detail: (name: string) => `The input file ${name} is not a regular file.`,
  },
} as const;

/**
 * The input file that a request names: a regular file in the input folder, not a link that points elsewhere.
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
