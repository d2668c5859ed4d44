import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { withPlainFile } from '@svc/foundation/files';
import { createEntryFilter, IGNORE_FILE, type SourceIdentity } from '@svc/library-sync';
import type { LibrarySettings } from '../config/commander-config.js';
import { destinationOf } from '../config/destination-place.js';
import { CommanderError } from '../errors/commander-error.js';

/**
 * Refuses a folder as a source if a load of it would write into it, and the next load would load what was written, or if the
 * source is in the destination, where a load may remove it.
 *
 * @throws {CommanderError} `library_configuration`
 */
export async function assertNotNested(
  { kind, origin }: Pick<SourceIdentity, 'kind' | 'origin'>,
  { source, destination }: LibrarySettings,
): Promise<void> {
  if (kind !== 'folder') return;
  const root = await realPlace(origin);
  const isLoaded = async (folder: string): Promise<boolean> => {
    const inner = pathWithin(root, await realPlace(folder));
    return inner !== undefined && isWanted(inner, root, source.exclude);
  };
  const { state_path: copies } = source;
  if (copies !== undefined && (await isLoaded(copies))) {
    throw refusal(
      `source.state_path: ${copies} is inside the source ${origin}, and loads would load copies of earlier ones`,
    );
  }
  const place = destinationOf(destination);
  if (!place || place.servers.length > 0) return;
  if (await isLoaded(place.root)) {
    throw refusal(
      `destination: ${place.root} is inside the source ${origin}, and loads would load what earlier ones wrote`,
    );
  }
  const outer = pathWithin(await realPlace(place.root), root);
  if (outer === undefined || outer.split('/').some((name) => name.startsWith('.'))) return;
  throw refusal(`destination: the source ${origin} is inside ${place.root}, and loads could remove it`);
}

const refusal = (message: string): CommanderError =>
  new CommanderError('library_configuration', `${message}; choose another folder`, { needsRestart: true });

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
function isWanted(inner: string, root: string, exclude: readonly string[]): boolean {
  const wants = createEntryFilter(readIgnoreFile(root), exclude, []);
  const names = inner.split('/').filter(Boolean);
  return names.every((_, index) => wants(names.slice(0, index + 1).join('/'), true));
}

function readIgnoreFile(root: string): string | undefined {
  try {
    return withPlainFile(join(root, IGNORE_FILE), (_found, read) => read()).toString();
  } catch {
    return undefined;
  }
}
