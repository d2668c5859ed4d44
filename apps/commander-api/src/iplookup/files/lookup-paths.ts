import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CommanderError } from '../../errors/commander-error.js';
import type { CommanderConfig } from '../../config/commander-config.js';

/** Endings of lookup files. */
export const LOOKUP_ENDINGS = ['.mmdb', '.mmdb.gz'] as const;

/**
 * The path of an input file: a plain name is in the input folder, a path with a folder is used as given.
 *
 * @throws {CommanderError} if that folder is needed but not configured, or the file is in the working folder instead
 */
export function inputPath(config: CommanderConfig, fileName: string): string {
  if (fileName === '-' || hasFolder(fileName)) return fileName;
  const folder = config.iplookup.source_path;
  if (folder !== undefined) return inFolder(folder, fileName);
  throw new CommanderError(
    'configuration',
    `iplookup.source_path is not set: set it to the folder with input files, or pass a path such as ./${fileName}`,
  );
}

function inFolder(folder: string, fileName: string): string {
  const path = join(folder, fileName);
  if (existsSync(path) || !existsSync(fileName)) return path;
  throw new CommanderError('failed', `${path} does not exist; did you mean ./${fileName}?`);
}

/** The folder of lookup files. @throws {CommanderError} if it is not configured */
export function lookupFolder(config: CommanderConfig): string {
  const folder = config.iplookup.destination_path;
  if (folder !== undefined) return folder;
  throw new CommanderError(
    'configuration',
    'iplookup.destination_path is not set: set it to the folder for lookup files',
  );
}

/**
 * The path of a lookup, given by lookup or file name in the lookup folder, or as a path with a folder. If a lookup exists
 * both gzipped and plain, the newer file is used.
 */
export function lookupPath(config: () => CommanderConfig, lookup: string): string {
  if (hasFolder(lookup)) return lookup;
  const folder = lookupFolder(config());
  const names = [lookup, ...LOOKUP_ENDINGS.map((ending) => lookup + ending)];
  const candidates = names.filter(isLookupFile).map((name) => join(folder, name));
  const times = new Map(candidates.map((path) => [path, modifiedAt(path)]));
  return candidates.reduce((best, path) => (times.get(path)! > times.get(best)! ? path : best));
}

/** Milliseconds since 1970, or -Infinity if the file is missing or inaccessible. */
function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return -Infinity;
  }
}

export function isLookupFile(name: string): boolean {
  return LOOKUP_ENDINGS.some((ending) => name.endsWith(ending));
}

function hasFolder(path: string): boolean {
  return basename(path) !== path || path === '.' || path === '..';
}
