import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';

/** Endings of lookup files. */
export const LOOKUP_ENDINGS = ['.mmdb', '.mmdb.gz'] as const;

/**
 * Where an input file lies: a bare name is one in the folder of input files; a path with a folder is taken as it is.
 *
 * @throws {CommanderError} when that folder is needed and not configured, or the file lies in the working folder instead
 */
export function inputPath(config: CommanderConfig, fileName: string): string {
  if (fileName === '-' || hasFolder(fileName)) return fileName;
  const folder = config.iplookup.source_path;
  if (folder !== undefined) return inFolder(folder, fileName);
  throw new CommanderError(
    'configuration',
    `iplookup.source_path is not set: set it to the folder of input files, or give a path such as ./${fileName}`,
  );
}

function inFolder(folder: string, fileName: string): string {
  const path = join(folder, fileName);
  if (existsSync(path) || !existsSync(fileName)) return path;
  throw new CommanderError('failed', `${path} does not exist; did you mean ./${fileName}?`);
}

/** The folder of lookup files. @throws {CommanderError} when it is not configured */
export function lookupFolder(config: CommanderConfig): string {
  const folder = config.iplookup.destination_path;
  if (folder !== undefined) return folder;
  throw new CommanderError(
    'configuration',
    'iplookup.destination_path is not set: it names the folder of lookup files',
  );
}

/**
 * Where a lookup lies: given by its name, by its file's name in the folder of lookups, or by a path with a folder. Of a
 * lookup that is there gzipped and not, the newer file counts.
 */
export function lookupPath(config: () => CommanderConfig, lookup: string): string {
  if (hasFolder(lookup)) return lookup;
  const folder = lookupFolder(config());
  const names = [lookup, ...LOOKUP_ENDINGS.map((ending) => lookup + ending)];
  const candidates = names.filter(isLookupFile).map((name) => join(folder, name));
  const times = new Map(candidates.map((path) => [path, modifiedAt(path)]));
  return candidates.reduce((best, path) => (times.get(path)! > times.get(best)! ? path : best));
}

/** Milliseconds since 1970; less than any time when there is no file, or none that may be seen. */
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
