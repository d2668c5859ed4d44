import type { CommanderConfig } from '../../config/commander-config.js';
import { CommanderError } from '../../errors/commander-error.js';
import { decodeUtf8, describeReadError, readAtMostSync } from '../../files/read-at-most.js';
import { fetchedFile } from './fetch-sources.js';
import { inputPath, lookupFolder } from '../files/lookup-paths.js';
import { filesOf, type LookupDeclaration } from './lookup-declaration.js';
import { parseLookupDeclarations } from './parse-lookup-declarations.js';

const MAX_BYTES = 1 << 20;

/**
 * Reads the lookups that `iplookup.declarations` declares.
 *
 * @throws {CommanderError} if there are none, or with a line for each problem
 */
export function readLookupDeclarations({ iplookup }: CommanderConfig): LookupDeclaration[] {
  const path = iplookup.declarations;
  if (path === undefined) {
    const message = 'iplookup.declarations is not set: set it to the YAML file that declares your lookups';
    throw new CommanderError('configuration', message);
  }
  let text: string;
  try {
    text = decodeUtf8(readAtMostSync(path, MAX_BYTES));
  } catch (error) {
    const message = `${path} cannot be read: ${describeReadError(error)}`;
    throw new CommanderError('configuration', message, { cause: error });
  }
  return parseLookupDeclarations(text, path);
}

/** The path of each file that a lookup is built from. @throws {CommanderError} */
export function sourcePaths(
  config: CommanderConfig,
  { layers }: LookupDeclaration,
): Readonly<Record<string, string>> {
  const paths: Record<string, string> = {};
  for (const layer of layers) {
    for (const name of filesOf(layer)) {
      const isFetched = layer.remote !== undefined && name === layer.source;
      paths[name] = isFetched ? fetchedFile(lookupFolder(config), layer.remote.url) : inputPath(config, name);
    }
  }
  return paths;
}
