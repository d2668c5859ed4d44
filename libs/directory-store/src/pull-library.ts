import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredNode } from '@svc/library-sync';

export interface PullOptions {
  /** Writes into a folder that holds something already; files of the same name are overwritten. */
  readonly overwrite: boolean;
}

/** The library cannot be written into this folder. Nothing was written. */
export class PullRefusedError extends Error {
  override readonly name = 'PullRefusedError';
}

/**
 * Writes a stored library into a folder: the way back.
 *
 * @param nodes parents first
 * @returns how many files and folders were written
 * @throws {PullRefusedError} listing every reason
 */
export async function pullLibrary(
  nodes: readonly StoredNode[],
  folder: string,
  { overwrite }: PullOptions,
): Promise<{ files: number; folders: number; bytes: number }> {
  const refusals = nodes.flatMap(refuseNode);
  if (!overwrite && !(await isEmpty(folder))) {
    refusals.unshift(
      `${folder} is not empty; choose another folder, or say --force to write over what is there`,
    );
  }
  for (const { path } of nodes) refusals.push(...(await refuseLinks(folder, path)));
  if (refusals.length > 0) throw new PullRefusedError([...new Set(refusals)].join('\n'));
  await mkdir(folder, { recursive: true });
  const counts = { files: 0, folders: 0, bytes: 0 };
  for (const { path, data, kind } of nodes) {
    if (kind === 'folder' || (kind === 'empty' && !path.slice(path.lastIndexOf('/') + 1).includes('.'))) {
      await mkdir(join(folder, path), { recursive: true });
      counts.folders += 1;
    } else {
      await writeFile(join(folder, path), data);
      counts.files += 1;
      counts.bytes += data.length;
    }
  }
  return counts;
}

/** A stored name is someone else's text. */
function refuseNode({ path, kind }: StoredNode): string[] {
  if (kind === 'both') return [`${path}: has data and children: it cannot be both a file and a folder`];
  const isUnsafe = path.split('/').some((name) => name === '' || name === '.' || name === '..');
  return isUnsafe || path.includes('\0') ? [`${path}: would lead out of the folder`] : [];
}

async function refuseLinks(folder: string, path: string): Promise<string[]> {
  const target = join(folder, path);
  const found = await lstat(target).catch(() => undefined);
  return found?.isSymbolicLink() ? [`${target}: is a link, and would be written through`] : [];
}

async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new PullRefusedError(`cannot use ${folder} (${error.code})`);
  });
  return names.length === 0;
}
