import { basename, join } from 'node:path';
import { sentence } from '@svc/foundation';
import { listVersions, type LookupVersion, restoreVersion } from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';
import { withLookupErrors } from '../files/iplookup.errors.js';
import { noLookup, openLookupFile } from '../files/lookup-files.js';
import { isLookupFile, LOOKUP_ENDINGS } from '../files/lookup-paths.js';
import { assertBareName } from '../files/open-inside.js';
import { stampOf } from '../sync/source-identity.js';
import { SyncStates } from '../sync/sync-state.js';

/** The former versions of a lookup file. */
export interface FileVersions {
  readonly file: string;
  /** Newest first. */
  readonly versions: readonly LookupVersion[];
}

/** The lookup file after a rollback, and the restored version. */
export interface FileRollback {
  readonly file: string;
  readonly version: number;
  readonly bytes: number;
  /** When the restored version was written, in ISO 8601. */
  readonly modified: string;
  /** The number that the replaced file has as a version; null if there was none. */
  readonly replaced: number | null;
}

/**
 * The former versions of a lookup.
 *
 * @param name of the lookup, or of one of its files
 * @throws {CommanderError} if there is neither such a lookup nor a former one
 */
export async function findVersions(folder: string, name: string): Promise<FileVersions> {
  const file = await fileOf(folder, name);
  return { file, versions: await listVersions(join(folder, file)) };
}

/**
 * Restores a former version; the current file becomes a version.
 *
 * @param number default: the newest
 * @throws {CommanderError}
 */
export async function rollBackLookup(folder: string, name: string, number?: number): Promise<FileRollback> {
  const file = await fileOf(folder, name);
  const note = async (draft: string): Promise<void> => noteRollback(folder, file, draft);
  const done = await withLookupErrors(() => restoreVersion(join(folder, file), number, note));
  if (done === undefined) {
    const which = number === undefined ? 'no previous version' : `no version ${number}`;
    const message = `there is ${which} of ${file}`;
    throw new CommanderError('version_not_found', message, { detail: sentence(message) });
  }
  const { restored, replaced = null } = done;
  const { bytes, modified } = restored;
  return { file, version: restored.number, bytes, modified: modified.toISOString(), replaced };
}

/** A declared lookup counts as up to date until its sources or its declaration change: `sync` must not undo the rollback. */
async function noteRollback(folder: string, file: string, draft: string): Promise<void> {
  const states = new SyncStates(folder);
  const name = file.replace(/\.mmdb(\.gz)?$/, '');
  const state = await states.read(name);
  if (state === undefined || basename(state.file) !== file) return;
  const { rolledBackFrom, ...rest } = state;
  const built = rolledBackFrom ?? state.stamp;
  const stamp = await stampOf(draft);
  // A restored file keeps its inode and size, not its time.
  const isBuilt = stamp.inode === built.inode && stamp.bytes === built.bytes;
  await states.writeNext(name, { ...rest, stamp, ...(!isBuilt && { rolledBackFrom: built }) });
}

/** The lookup's newer file or, if it has been lost, one with versions. */
async function fileOf(folder: string, name: string): Promise<string> {
  assertBareName(name);
  try {
    const { file, handle } = await openLookupFile(folder, name);
    await handle.close();
    return file;
  } catch (error) {
    if (!(error instanceof CommanderError) || error.code !== 'lookup_not_found') throw error;
  }
  const files = isLookupFile(name) ? [name] : LOOKUP_ENDINGS.map((ending) => name + ending);
  for (const file of files) if ((await listVersions(join(folder, file))).length > 0) return file;
  throw noLookup(name);
}
