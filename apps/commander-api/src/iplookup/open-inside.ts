import { type FileHandle, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { InputFileError, openRegularFile } from '@svc/iplookup-core';
import { Problem } from '@svc/service-kit';

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
 * @throws {Problem} 400 for a name that could mean another folder; 500 when the file cannot be opened
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
    throw new Problem({ status: error.missing ? 404 : 500, detail: `${error.message}.`, cause: error });
  }
}

/** @throws {Problem} when the name could mean another folder */
export function assertBareName(name: string): void {
  if (name !== '' && !name.startsWith('.') && name !== '-' && !/[/\\\0]/.test(name)) return;
  throw new Problem({
    status: 400,
    detail: `${JSON.stringify(name)} is no file name: it must not name a folder.`,
  });
}
