import { readdir, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  assertSchemas,
  bytesOf,
  type DeclarationRules,
  type Library,
  type LoadRun,
  type SchemaRule,
  type TagKind,
} from '@svc/library-sync';
import type { LibrarySettings } from '../config/commander-config.js';
import { CommanderError, type CommanderErrorOptions } from '../errors/commander-error.js';

const MAX_SCHEMA_BYTES = 1 << 20;

const KINDS: readonly string[] = ['scalar', 'sequence', 'mapping'] satisfies TagKind[];

/**
 * The configured rules for declarations, with their schemas.
 *
 * @returns undefined if none are configured
 * @throws {CommanderError} configuration
 */
export async function readDeclarationRules({
  validate,
  iplookup,
}: Pick<LibrarySettings, 'validate' | 'iplookup'>): Promise<DeclarationRules | undefined> {
  const { schemas, tags, includes, sealed, lookups } = validate;
  if ([schemas, tags, includes, sealed, lookups].every(({ length }) => length === 0)) return undefined;
  const rules: DeclarationRules = {
    schemas: await Promise.all(schemas.map(readSchema)),
    ...(tags.length > 0 && { tags: Object.fromEntries(tags.map(toTag)) }),
    includes: includes.map(withoutMark),
    sealed,
    ...(lookups.length > 0 && {
      lookups: { keys: lookups, known: await builtLookups(iplookup.destination_path) },
    }),
  };
  await assertSchemas(rules).catch((error: Error) => {
    throw invalid('schemas', error.message, { cause: error });
  });
  return rules;
}

/** Marks passwords that are yet to be encrypted, which no reader can use. */
const PLAIN_MARK = '!encpwd-plain';

/**
 * The password check: for passwords marked for encryption, if configured for others in plain text, and for encrypted ones
 * where values must be encrypted.
 *
 * @param address the source's
 * @throws {CommanderError} configuration, if the keys cannot be read
 */
export async function passwordCheck(
  config: Pick<LibrarySettings, 'validate' | 'pwdencryptor' | 'source'>,
  address = config.source.path,
): Promise<NonNullable<LoadRun['check']>> {
  const { validate } = config;
  const isPlainChecked = (validate.plain_passwords ?? 'allow') !== 'allow';
  const checksEncrypted = isPlainChecked || validate.sealed.length > 0;
  const load = async () => {
    // Loaded lazily: few loads need it.
    const { passwordCheck } = await import('./check-library-passwords.js');
    return passwordCheck(config, { checksEncrypted, source: address });
  };
  const check = checksEncrypted ? await load() : undefined;
  return async (library) => {
    if (check) return check(library);
    return (await hasMark(library)) ? (await load())(library) : [];
  };
}

/** Searched before other work gets a turn. */
const BYTES_BEFORE_PAUSE = 16 << 20;

async function hasMark({ files }: Library): Promise<boolean> {
  let bytes = 0;
  for (const file of files.values()) {
    const data = bytesOf(file.data);
    if (Buffer.from(data.buffer, data.byteOffset, data.byteLength).includes(PLAIN_MARK)) return true;
    bytes += data.length;
    if (bytes > BYTES_BEFORE_PAUSE) {
      await setImmediate();
      bytes = 0;
    }
  }
  return false;
}

/** Names of the lookups in the folder of generated ones. */
async function builtLookups(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw invalid('lookups', `cannot list iplookup.destination_path ${folder} (${error.code})`, {
      cause: error,
    });
  });
  return names.flatMap((name) => /^(.+)\.mmdb(?:\.gz)?$/.exec(name)?.[1] ?? []);
}

/** @param setting `<pattern>: <file>` */
async function readSchema(setting: string): Promise<SchemaRule> {
  const [, files = '', file = ''] = /^(.*): ([^:]+)$/.exec(setting) ?? [];
  try {
    const { size } = await stat(file);
    if (size > MAX_SCHEMA_BYTES) throw new RangeError(`it has more than ${MAX_SCHEMA_BYTES} bytes`);
    return { files, name: basename(file), schema: JSON.parse(await readFile(file, 'utf8')) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Most likely misspelt.
    const needsRestart = code === 'ENOENT';
    throw invalid('schemas', `cannot read the schema ${file} (${code ?? message})`, {
      cause: error,
      needsRestart,
    });
  }
}

/** @param setting `<tag>: <kind>` */
function toTag(setting: string): [string, TagKind] {
  const [, tag, kind = ''] = /^(\S+)\s*:\s*(\S+)$/.exec(setting) ?? [];
  if (tag !== undefined && KINDS.includes(kind)) return [withoutMark(tag), kind as TagKind];
  throw invalid('tags', `${JSON.stringify(setting)} must be a tag, a colon and one of ${KINDS.join(', ')}`, {
    needsRestart: true,
  });
}

const withoutMark = (tag: string): string => tag.replace(/^!/, '');

const invalid = (key: string, message: string, options: CommanderErrorOptions): CommanderError =>
  new CommanderError('library_configuration', `validate.${key}: ${message}`, options);
