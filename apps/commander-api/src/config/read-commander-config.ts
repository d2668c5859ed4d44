import type { Environment } from '@svc/foundation/config';
import { existsSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { CommanderError } from '../errors/commander-error.js';
import { decodeUtf8, readAtMostSync, describeReadError } from '../files/read-at-most.js';
import { assembleConfig, type AssembledConfig } from './assemble-config.js';
import type { CommanderConfig, FoundFile } from './commander-config.js';
import type { ParsedSource } from './config-key.js';
import { keysOf } from './named-sections.js';
import { parseEnvironment } from './parse-environment.js';
import { parseIni } from './parse-ini.js';
import { parseYaml } from './parse-yaml.js';
import { resolveCredentials } from './systemd-credentials.js';

/** The configuration file in the container; elsewhere it is in the current folder. */
const CONTAINER_FILE = '/data/svccmd.conf';
const LOCAL_FILE = 'svccmd.conf';

/** Maximum size of a configuration file, in bytes. */
const MAX_FILE_BYTES = 1_048_576;

/** Maximum size of a file with a single value, in bytes. */
const MAX_VALUE_BYTES = 65_536;

/** The effective configuration and its file. */
export interface LoadedConfig extends AssembledConfig {
  /** The file that was read, if any. */
  readonly file: string | undefined;
}

/**
 * Reads the configuration: defaults, then the file, then the environment.
 *
 * @param file the argument of `-c`; by default a file that need not exist
 * @throws {CommanderError} `configuration`, with one line per error
 */
export function readCommanderConfig(file: string | undefined, environment: Environment): CommanderConfig {
  return loadConfig(file, environment).config;
}

/** Like {@link readCommanderConfig}, with every key's origin. */
export function loadConfig(file: string | undefined, environment: Environment): LoadedConfig {
  const path = resolve(file ?? defaultFile());
  const exists = file !== undefined || existsSync(path);
  const folder = dirname(path);
  const files: ParsedSource[] = exists ? [parseFile(path)] : [];
  const keys = keysOf(files.flatMap(({ sections }) => sections));
  const variables = parseEnvironment(keys, environment, (name) =>
    decodeUtf8(readAtMostSync(resolve(folder, name), MAX_VALUE_BYTES)),
  );
  const sources = [...files, variables].map((source) =>
    resolveCredentials(source, environment['CREDENTIALS_DIRECTORY']),
  );
  const assembled = assembleConfig(keys, sources, folder);
  if (assembled.errors.length > 0) throw new CommanderError('configuration', assembled.errors);
  const isFound = exists && file === undefined && path !== CONTAINER_FILE;
  const config = isFound ? { ...assembled.config, found: foundFile(path, assembled) } : assembled.config;
  return { ...assembled, config, file: exists ? path : undefined };
}

/** An origin is a line of the file, or a variable. */
function foundFile(path: string, { settings }: AssembledConfig): FoundFile {
  const file = basename(path);
  const own = settings.filter(({ origin }) => origin.startsWith(`${file}:`));
  return { file, keys: new Set(own.map(({ key }) => `${key.section}.${key.key}`)) };
}

/** The file to read by default. */
export function defaultFile(): string {
  return existsSync(CONTAINER_FILE) ? CONTAINER_FILE : LOCAL_FILE;
}

const PARSERS: Readonly<Record<string, typeof parseIni>> = {
  '.conf': parseIni,
  '.ini': parseIni,
  '.yaml': parseYaml,
  '.yml': parseYaml,
};

/** A file that cannot be read does not hide errors in the environment. */
function parseFile(path: string): ParsedSource {
  const parse = PARSERS[extname(path).toLowerCase()];
  if (!parse) {
    return failedSource(
      `${path}: a configuration file must end in .conf or .ini (INI), or .yaml or .yml (YAML)`,
    );
  }
  const text = readText(path);
  return typeof text === 'string' ? parse(text, basename(path)) : text;
}

function readText(path: string): string | ParsedSource {
  try {
    return decodeUtf8(readAtMostSync(path, MAX_FILE_BYTES));
  } catch (error) {
    return failedSource(`${path}: the configuration file cannot be read: ${describeReadError(error)}`);
  }
}

function failedSource(error: string): ParsedSource {
  return { sections: [], settings: [], errors: [error] };
}
