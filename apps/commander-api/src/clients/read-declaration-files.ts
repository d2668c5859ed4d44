import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommanderError } from '../errors/commander-error.js';
import { MAX_YAML_BYTES } from '../files/parse-declarations.js';
import { decodeUtf8, type FileInput, readFileAtMost, TooLargeError } from '../files/read-at-most.js';

/** A file of declarations, read. */
export interface DeclarationFile {
  /** As given, or its path within a given folder. */
  readonly name: string;
  readonly text: string;
}

/** Files that are read from a folder. */
const DECLARATIONS = /\.(ya?ml|json|ndjson|jsonl)$/i;

const NDJSON = /\.(ndjson|jsonl)$/i;

/** The registry's limit. */
const MAX_BYTES = 100 * 1024 * 1024;

const MAX_FILES = 10_000;

/**
 * Reads files, folders (recursively, sorted by name, without names that start with a dot) and `-`, standard input. A file
 * given twice is read once.
 *
 * @throws {CommanderError} with a line for each that cannot be read
 */
export async function readDeclarationFiles(
  names: readonly string[],
  input: FileInput,
): Promise<DeclarationFile[]> {
  const errors: string[] = [];
  const files = new Map<string, DeclarationFile>();
  const budget = { bytes: MAX_BYTES, yamlBytes: MAX_YAML_BYTES };
  for (const given of new Set(names)) {
    for (const name of await attempt(given, async () => filesOf(given))) {
      if (files.has(name)) continue;
      const text = await attempt(name, async () => readText(name, budget, input));
      if (typeof text === 'string') files.set(name, { name, text });
    }
  }
  if (errors.length > 0) throw new CommanderError('failed', errors);
  return [...files.values()];

  /** @returns an empty list on error */
  async function attempt<T>(name: string, read: () => Promise<T>): Promise<T | []> {
    try {
      return await read();
    } catch (error) {
      input.signal.throwIfAborted();
      errors.push(`${name}: cannot be read: ${reasonOf(error)}`);
      return [];
    }
  }
}

/** Why a file cannot be used, without its content. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'the file does not exist';
  if (code === 'EACCES') return 'permission denied (EACCES)';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8';
  return error instanceof Error ? error.message : String(error);
}

/** True if each line of the file is a declaration. */
export function isNdjson(name: string): boolean {
  return NDJSON.test(name);
}

interface Budget {
  bytes: number;
  yamlBytes: number;
}

/** Reads a whole file, within the budget. */
async function readText(name: string, budget: Budget, input: FileInput): Promise<string> {
  const isYaml = !isNdjson(name);
  const limit = isYaml ? Math.min(budget.bytes, budget.yamlBytes) : budget.bytes;
  try {
    const bytes = await readFileAtMost(name, limit, input);
    budget.bytes -= bytes.length;
    if (isYaml) budget.yamlBytes -= bytes.length;
    return decodeUtf8(bytes);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const reason =
      limit === budget.bytes
        ? 'the declarations exceed 100 MiB in total'
        : 'the YAML and JSON declarations exceed 16 MiB in total; write them as .ndjson, one per line';
    throw new Error(reason, { cause: error });
  }
}

async function filesOf(name: string): Promise<string[]> {
  if (name === '-' || !(await stat(name)).isDirectory()) return [name];
  const found = await declarationsIn(name);
  if (found.length === 0)
    throw new Error('the folder contains no .yaml, .yml, .json, .ndjson or .jsonl file');
  if (found.length > MAX_FILES) throw new Error(`the folder contains more than ${MAX_FILES} declarations`);
  return found;
}

/** Does not follow links to folders, which may be circular. */
async function declarationsIn(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(
    ({ name }) => !name.startsWith('.'),
  );
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await declarationsIn(path)));
    else if (DECLARATIONS.test(entry.name) && (await stat(path)).isFile()) found.push(path);
  }
  return found;
}
