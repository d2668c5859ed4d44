import type { Stats } from 'node:fs';
import { lstat, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeLines } from '@svc/foundation';
import { makeFolders } from '@svc/foundation/files';
import { folderViolation, type StoredNode } from '@svc/library-sync';

export interface PullOptions {
  /** Allows a non-empty folder; files of the same name are overwritten. */
  readonly overwrite: boolean;
  /** Paths that a load wrote as folders: others' data on their nodes is not part of the library. */
  readonly folders?: ReadonlySet<string>;
  /** Paths that a load wrote as files, which may be empty. */
  readonly files?: ReadonlySet<string>;
}

/** The result of a pull. */
export interface PullCounts {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  /** Unreadable nodes, left out with everything below them, and links. */
  readonly unreadable: readonly string[];
  /** Folders written without others' data on their nodes. */
  readonly without_data: readonly string[];
}

/** The library cannot be written into this folder. Nothing was written. */
export class PullRefusedError extends Error {
  override readonly name = 'PullRefusedError';
}

/** The folder cannot be written, such as because its disk is full. */
export class PullFailedError extends Error {
  override readonly name = 'PullFailedError';
}

/**
 * Writes a stored library into a folder, the inverse of a load.
 *
 * @param nodes parents first
 * @returns the number of files and folders written
 * @throws {PullRefusedError} listing every reason
 * @throws {PullFailedError} some of it may have been written
 */
export async function pullLibrary(
  stored: readonly StoredNode[],
  folder: string,
  { overwrite, folders = new Set(), files = new Set() }: PullOptions,
): Promise<PullCounts> {
  const unreadable = stored.filter((node) => !isReadable(node)).map(({ path }) => path);
  const without_data = stored
    .filter(({ path, data }) => data.length > 0 && folders.has(path))
    .map(({ path }) => path);
  const nodes = stored.filter(isReadable).map((node): StoredNode => {
    if (folders.has(node.path)) return { ...node, kind: 'folder' };
    return node.kind === 'empty' && files.has(node.path) ? { ...node, kind: 'file' } : node;
  });
  const refusals = nodes.flatMap((node) => refuseNode(node, folder));
  const hasRoom = await isEmpty(folder);
  if (!overwrite && !hasRoom) {
    refusals.unshift(
      `${folder} is not empty; choose another folder, or pass --force to overwrite what is there`,
    );
  }
  for (const node of nodes) refusals.push(...(await refuseInTheWay(folder, node)));
  if (refusals.length > 0) throw new PullRefusedError(escapeLines([...new Set(refusals)]));
  await makeFolders(folder).catch(failAt(folder));
  const counts = { files: 0, folders: 0, bytes: 0, unreadable, without_data };
  for (const { path, data, kind } of nodes) {
    const target = join(folder, path);
    if (isFolder({ path, kind })) {
      await makeFolders(target).catch(failAt(target));
      counts.folders += 1;
    } else {
      await writeFile(target, data).catch(failAt(target));
      counts.files += 1;
      counts.bytes += data.length;
    }
  }
  return counts;
}

function isReadable({ kind, hasContent = true }: StoredNode): boolean {
  return kind !== 'unreadable' && hasContent;
}

function failAt(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    const reason = error.code ?? error.message;
    const makeRoom = ['ENOSPC', 'EDQUOT'].includes(reason) ? 'make room, and ' : '';
    throw new PullFailedError(
      `cannot write ${path} (${reason}); what was pulled is incomplete: ${makeRoom}pull again with --force, or into another folder`,
      { cause: error },
    );
  };
}

/** Stored names are untrusted. */
function refuseNode({ path, kind }: StoredNode, folder: string): string[] {
  if (kind === 'both') return [`${path}: has data and children: it cannot be both a file and a folder`];
  const isUnsafe = path.split('/').some((name) => name === '' || name === '.' || name === '..');
  if (isUnsafe || path.includes('\0')) return [`${path}: would lead out of the folder`];
  const violation = folderViolation(path, folder);
  return violation === undefined ? [] : [`${path}: ${violation}`];
}

/** For a node with neither data nor children that no load wrote, the name decides. */
function isFolder({ path, kind }: Pick<StoredNode, 'path' | 'kind'>): boolean {
  return kind === 'folder' || (kind === 'empty' && !path.slice(path.lastIndexOf('/') + 1).includes('.'));
}

async function refuseInTheWay(folder: string, node: StoredNode): Promise<string[]> {
  const found = await lstat(join(folder, node.path)).catch(() => undefined);
  if (!found) return [];
  const refusal = refusalOf(folder, node, found);
  return refusal === undefined ? [] : [`${node.path}: ${refusal}`];
}

/** What is in the place of a node and cannot be overwritten. */
function refusalOf(folder: string, node: StoredNode, found: Stats): string | undefined {
  if (found.isSymbolicLink()) return `is a link in ${folder}; svccmd does not write through links`;
  if (isFolder(node))
    return found.isDirectory()
      ? undefined
      : `is a file in ${folder}, but a folder in the library; remove it first`;
  return found.isFile() ? undefined : `is not a file in ${folder}, but one in the library; remove it first`;
}

async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new PullRefusedError(`cannot use ${folder} (${error.code})`);
  });
  return names.length === 0;
}
