import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { CommandError, EXIT } from '../cli/exit-code.js';
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

/** The effective configuration and where it comes from. */
export interface LoadedConfig extends AssembledConfig {
  /** The file that was read; undefined when there is none. */
  readonly file: string | undefined;
}

/**
 * Reads the configuration: defaults, then the file, then the environment.
 *
 * @param file what `-c` names; without it the default file, which need not exist
 * @throws {CommandError} with `EXIT.configuration` and one line for each fault
 */
export function readCommanderConfig(file: string | undefined, environment: Environment): CommanderConfig {
  return loadConfig(file, environment).config;
}

/** The same with every key's origin. */
export function loadConfig(file: string | undefined, environment: Environment): LoadedConfig {
  const path = resolve(file ?? defaultFile());
  const exists = file !== undefined || existsSync(path);
  const sources: ParsedSource[] = exists ? [parseFile(path)] : [];
  sources.push(parseEnvironment(CONFIG_KEYS, environment, (name) => readFileSync(name, 'utf8')));
  const assembled = assembleConfig(CONFIG_KEYS, sources, dirname(path));
  if (assembled.faults.length > 0) throw new CommandError(assembled.faults.join('\n'), EXIT.configuration);
  return { ...assembled, file: exists ? path : undefined };
}

/** The file that is read when none is named. */
export function defaultFile(): string {
  return existsSync(CONTAINER_FILE) ? CONTAINER_FILE : LOCAL_FILE;
}

function parseFile(path: string): ParsedSource {
  const name = basename(path);
  switch (extname(path).toLowerCase()) {
    case '.conf':
    case '.ini':
      return parseIni(readText(path), name);
    case '.yaml':
    case '.yml':
      return parseYaml(readText(path), name);
    default:
      throw new CommandError(
        `${path}: the extension of a configuration file must be .conf or .ini (INI), .yaml or .yml (YAML)`,
        EXIT.configuration,
      );
  }
}

/** Whatever is larger is no configuration. */
const MAX_FILE_BYTES = 1_048_576;

function readText(path: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAX_FILE_BYTES) {
      throw new CommandError(`${path}: larger than 1 MiB: that is no configuration file`, EXIT.configuration);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'not UTF-8' : `cannot be read (${code})`;
    throw new CommandError(`${path}: ${reason}`, EXIT.configuration, { cause: error });
  }
}
