import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { FolderSource } from '@svc/library-source';
import type { SourceIdentity } from '@svc/library-sync';
import type { LibrarySettings } from '../config/commander-config.js';
import { destinationOf } from '../config/destination-place.js';
import { CommanderError } from '../errors/commander-error.js';

/**
 * Refuses a folder as a source if a load of it would write into it, and the next load would load what was written, or if the
 * source is in the destination, where a load may remove it.
 *
 * @throws {CommanderError} `library_configuration`
 * @throws {SourceUnreachableError} if `.libraryignore` is needed and cannot be read
 */
export async function assertNotNested(
  { kind, origin }: Pick<SourceIdentity, 'kind' | 'origin'>,
  { source, destination }: LibrarySettings,
): Promise<void> {
  if (kind !== 'folder') return;
  const root = await realPlace(origin);
  /** The path in the source if loads read it; empty for the source itself, which no pattern excludes. */
  const loadedPath = async (folder: string): Promise<string | undefined> => {
    const inner = pathWithin(root, await realPlace(folder));
    return inner !== undefined && (await isWanted(inner, origin, source.exclude)) ? inner : undefined;
  };
  const { state_path: copies } = source;
  const innerCopies = copies === undefined ? undefined : await loadedPath(copies);
  if (innerCopies !== undefined) {
    const message = `source.state_path: ${copies} is inside the source ${origin}, and loads would load copies of earlier ones`;
    throw refusal(message, innerCopies === '');
  }
  const place = destinationOf(destination);
  if (!place || place.servers.length > 0) return;
  const innerPlace = await loadedPath(place.root);
  if (innerPlace !== undefined) {
    const message = `destination: ${place.root} is inside the source ${origin}, and loads would load what earlier ones wrote`;
    throw refusal(message, innerPlace === '');
  }
  const outer = pathWithin(await realPlace(place.root), root);
  if (outer === undefined || outer.split('/').some((name) => name.startsWith('.'))) return;
  throw refusal(`destination: the source ${origin} is inside ${place.root}, and loads could remove it`, true);
}

const refusal = (message: string, needsRestart: boolean): CommanderError =>
  new CommanderError('library_configuration', `${message}; choose another folder`, { needsRestart });

/** The path without links, also of a folder that is yet to be created. */
async function realPlace(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () =>
    parent === path ? path : join(await realPlace(parent), basename(path)),
  );
}

/** @returns empty for the folder itself; undefined if the path is outside it */
function pathWithin(folder: string, path: string): string | undefined {
  const inner = relative(folder, path);
  return inner === '..' || inner.startsWith('../') ? undefined : inner;
}

/** False for a folder that loads skip: a name on the way starts with a dot, or a pattern excludes it. */
async function isWanted(inner: string, origin: string, exclude: readonly string[]): Promise<boolean> {
  if (inner === '') return true;
  const wants = await new FolderSource(origin, { exclude }).filter();
  const names = inner.split('/');
  return names.every((_, index) => wants(names.slice(0, index + 1).join('/'), true));
}
