import { type FileHandle, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sentence } from '@svc/foundation';
import { deleteVersions, listVersions } from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';
import { isLookupFile, LOOKUP_ENDINGS } from './lookup-paths.js';
import { openInside } from './open-inside.js';

/** A lookup file in the folder of lookups. */
export interface LookupFile {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly modified: string;
  readonly gzip: boolean;
}

/** The readable lookups of a folder, by name; none if the folder cannot be read. */
export async function listLookupFiles(folder: string): Promise<LookupFile[]> {
  const lookups: LookupFile[] = [];
  for (const name of lookupNames(await readdir(folder).catch(() => []))) {
    const found = await describeNewest(folder, name).catch(() => undefined);
    if (found !== undefined) lookups.push(found);
  }
  return lookups;
}

/**
 * All lookups of a folder, by name; unlike {@link listLookupFiles}, fails if any cannot be read.
 *
 * @returns undefined if the folder does not exist
 * @throws {CommanderError} if the folder or a lookup cannot be read
 */
export async function listAllLookupFiles(folder: string): Promise<LookupFile[] | undefined> {
  const names = await fileNames(folder);
  if (names === undefined) return undefined;
  const lookups: LookupFile[] = [];
  for (const name of lookupNames(names)) {
    const found = await describeNewest(folder, name);
    if (found !== undefined) lookups.push(found);
  }
  // If the folder has gone meanwhile, so have its files.
  return (await fileNames(folder)) === undefined ? undefined : lookups;
}

async function fileNames(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CommanderError('failed', `${folder} cannot be read: ${code ?? message}`, { cause: error });
  }
}

function lookupNames(files: readonly string[]): Set<string> {
  const own = files.filter((name) => !name.startsWith('.') && isLookupFile(name));
  return new Set(own.map(lookupName).sort());
}

async function describeNewest(folder: string, name: string): Promise<LookupFile | undefined> {
  const open = await openNewest(folder, name);
  if (open === undefined) return undefined;
  await open.handle.close();
  const { file, bytes, modified } = open;
  return { name, file, bytes, modified: modified.toISOString(), gzip: file.endsWith('.gz') };
}

/** An open lookup file: its content does not change when another file takes its name. */
export interface OpenLookupFile {
  readonly handle: FileHandle;
  readonly file: string;
  /** Without links. */
  readonly path: string;
  readonly bytes: number;
  readonly modified: Date;
  /** Changes whenever the content does. */
  readonly etag: string;
}

/**
 * Opens a lookup file by lookup or file name. If a lookup exists both gzipped and plain, the newer file is used.
 *
 * @throws {CommanderError} for a name with a folder, or if there is no such lookup
 */
export async function openLookupFile(folder: string, name: string): Promise<OpenLookupFile> {
  const found = isLookupFile(name) ? await openFile(folder, name) : await openNewest(folder, name);
  if (found !== undefined) return found;
  throw noLookup(name);
}

/**
 * Deletes a lookup by its name, plain and gzipped, or one file by its name, with its former versions. Readers that have
 * it open can keep reading it.
 *
 * @param onDeleted called with each file once it is deleted, also if the other, or the former versions, cannot be
 * @returns the deleted files
 * @throws {CommanderError} for a name with a folder, if there is no such lookup, or if it cannot be deleted
 */
export async function deleteLookupFiles(
  folder: string,
  name: string,
  onDeleted?: (file: string) => void,
): Promise<string[]> {
  const names = isLookupFile(name) ? [name] : LOOKUP_ENDINGS.map((ending) => name + ending);
  const deleted: string[] = [];
  for (const file of names) {
    const open = await openFile(folder, file);
    await open?.handle.close();
    const isDeleted = open !== undefined && (await removeFile(folder, file));
    // Also those of a file that someone else has deleted.
    if (!isDeleted && (await listVersions(join(folder, file))).length === 0) continue;
    if (isDeleted) onDeleted?.(file);
    await removeVersions(folder, file);
    if (!isDeleted) onDeleted?.(file);
    deleted.push(file);
  }
  if (deleted.length > 0) return deleted;
  throw noLookup(name);
}

/** @returns false if someone else has deleted it meanwhile */
async function removeFile(folder: string, file: string): Promise<boolean> {
  try {
    await unlink(join(folder, file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw undeletable(file, error);
  }
}

async function removeVersions(folder: string, file: string): Promise<void> {
  try {
    await deleteVersions(join(folder, file));
  } catch (error) {
    throw undeletable(`former versions of ${file}`, error);
  }
}

function undeletable(what: string, error: unknown): CommanderError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CommanderError('failed', `${what} cannot be deleted: ${code ?? message}`, { cause: error });
}

export function noLookup(name: string): CommanderError {
  const message = `there is no lookup ${JSON.stringify(name)}`;
  return new CommanderError('lookup_not_found', message, { detail: sentence(message) });
}

async function openNewest(folder: string, name: string): Promise<OpenLookupFile | undefined> {
  let newest: OpenLookupFile | undefined;
  try {
    for (const ending of LOOKUP_ENDINGS) {
      const next = await openFile(folder, name + ending);
      if (next === undefined) continue;
      const [kept, left] = newest && newest.modified >= next.modified ? [newest, next] : [next, newest];
      newest = kept;
      await left?.handle.close();
    }
    return newest;
  } catch (error) {
    await newest?.handle.close();
    throw error;
  }
}

async function openFile(folder: string, file: string): Promise<OpenLookupFile | undefined> {
  const found = await openInside(folder, file);
  if (typeof found === 'string') return undefined;
  const { handle, path } = found;
  const entry = await handle.stat({ bigint: true });
  const etag = `"${entry.ino.toString(36)}-${entry.mtimeNs.toString(36)}-${entry.size.toString(36)}"`;
  return { handle, file, path, bytes: Number(entry.size), modified: entry.mtime, etag };
}

/** The name of the lookup in a file. */
export function lookupName(file: string): string {
  return file.replace(/\.mmdb(\.gz)?$/, '');
}
