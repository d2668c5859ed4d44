import { existsSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { CommanderError } from '../errors/commander-error.js';
import { decodeUtf8, readAtMostSync, readFault } from '../files/read-at-most.js';
import { assembleConfig, type AssembledConfig } from './assemble-config.js';
import type { CommanderConfig } from './commander-config.js';
import { CONFIG_KEYS } from './config-keys.js';
import type { ParsedSource } from './config-source.js';
import { parseEnvironment, type Environment } from './parse-environment.js';
import { parseIni } from './parse-ini.js';
import { parseYaml } from './parse-yaml.js';

/** Where the configuration file lies in the container; elsewhere it is in the current folder. */
const CONTAINER_FILE = '/data/svccmd.conf';
const LOCAL_FILE = 'svccmd.conf';

/** Whatever is larger is no configuration, in bytes. */
const MAX_FILE_BYTES = 1_048_576;

/** Whatever is larger is no single value, in bytes. */
const MAX_VALUE_BYTES = 65_536;

/** The effective configuration and where it comes from. */
export interface LoadedConfig extends AssembledConfig {
  /** The file that was read; undefined when there is none. */
  readonly file: string | undefined;
}

/**
 * Reads the configuration: defaults, then the file, then the environment.
 *
 * @param file what `-c` names; without it the default file, which need not exist
 * @throws {CommanderError} with `EXIT.configuration` and one line for each fault
 */
export function readCommanderConfig(file: string | undefined, environment: Environment): CommanderConfig {
  return loadConfig(file, environment).config;
}

/** The same with every key's origin. */
export function loadConfig(file: string | undefined, environment: Environment): LoadedConfig {
  const path = resolve(file ?? defaultFile());
  const exists = file !== undefined || existsSync(path);
  const folder = dirname(path);
  const sources: ParsedSource[] = exists ? [parseFile(path)] : [];
  sources.push(
    parseEnvironment(CONFIG_KEYS, environment, (name) =>
      decodeUtf8(readAtMostSync(resolve(folder, name), MAX_VALUE_BYTES)),
    ),
  );
  const assembled = assembleConfig(CONFIG_KEYS, sources, folder);
  if (assembled.faults.length > 0) throw new CommanderError('configuration', assembled.faults.join('\n'));
  return { ...assembled, file: exists ? path : undefined };
}

/** The file that is read when none is named. */
export function defaultFile(): string {
  return existsSync(CONTAINER_FILE) ? CONTAINER_FILE : LOCAL_FILE;
}

const PARSERS: Readonly<Record<string, typeof parseIni>> = {
  '.conf': parseIni,
  '.ini': parseIni,
  '.yaml': parseYaml,
  '.yml': parseYaml,
};

/** A file that cannot be read is a fault among others: those of the environment are told with it. */
function parseFile(path: string): ParsedSource {
  const parse = PARSERS[extname(path).toLowerCase()];
  if (!parse) {
    return faulty(
      `${path}: the extension of a configuration file must be .conf or .ini (INI), .yaml or .yml (YAML)`,
    );
  }
  const text = readText(path);
  return typeof text === 'string' ? parse(text, basename(path)) : text;
}

function readText(path: string): string | ParsedSource {
  try {
    return decodeUtf8(readAtMostSync(path, MAX_FILE_BYTES));
  } catch (error) {
    return faulty(`${path}: the configuration file cannot be read: ${readFault(error)}`);
  }
}

function faulty(fault: string): ParsedSource {
  return { settings: [], faults: [fault] };
}
