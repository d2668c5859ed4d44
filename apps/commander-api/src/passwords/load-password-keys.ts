import { access, open } from 'node:fs/promises';
import {
  InvalidKeyError,
  type KeyForm,
  MAX_KEY_FILE_BYTES,
  parseKeyFile,
  type PasswordKeys,
} from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { isInlineKey, splitKeySetting } from '../config/convert-value.js';
import { isShowableKeyPath } from '../config/mask-value.js';
import { readAtMost, describeReadError } from '../files/read-at-most.js';

/** Warns the operator. */
export type Warn = (line: string) => void;

/**
 * Loads the keys in `pwdencryptor.key`: the first encrypts, all decrypt.
 *
 * @throws {CommanderError} `configuration`
 */
export async function loadPasswordKeys(
  { key: setting, keyOrigin }: CommanderConfig['pwdencryptor'],
  warn: Warn,
): Promise<PasswordKeys> {
  if (setting === undefined) {
    throw configurationError(
      'no key is configured; set pwdencryptor.key, or create one with "svccmd keygen <file>"',
    );
  }
  const place = `pwdencryptor.key${keyOrigin === undefined ? '' : ` (${keyOrigin})`}`;
  if (!isInlineKey(setting)) return loadKeyFile(setting, place, warn);
  const { form, rest } = splitKeySetting(setting);
  if (form !== 'hex' && (await exists(rest))) {
    throw configurationError(`${place} could be a key or a file name; write ${form}:./<file> for the file`);
  }
  return parse(Buffer.from(rest), form, place, warn);
}

/** @throws {CommanderError} `configuration` if the first key must not be used to encrypt */
export function assertEncrypts([key]: PasswordKeys): void {
  try {
    key.assertEncrypts();
  } catch (error) {
    throw configurationError((error as Error).message, error);
  }
}

/**
 * Loads a key file.
 *
 * @param name its path, after `hex:`, `base64:` or `raw:` if its content is ambiguous
 * @param place where the name was given, shown instead of the name while it may be the key itself
 * @throws {CommanderError} `configuration`
 */
export async function loadKeyFile(name: string, place: string, warn: Warn): Promise<PasswordKeys> {
  const { form, rest: path } = splitKeySetting(name);
  if (path === '') throw configurationError(`${place}: the name of the key file is missing`);
  const { content, mode, isPipe } = await readKeyFile(path, form, place);
  if (content.length === 0) {
    throw configurationError(
      isPipe
        ? `${path}: the pipe was closed before it delivered a key`
        : `${path}: the key file is empty; create a new one with "svccmd keygen"`,
    );
  }
  if ((mode & 0o004) !== 0)
    warn(`warning: ${path} is readable by every user of this machine; run chmod 600 on it`);
  return parse(content, form, path, warn);
}

/** The keys in `--key-file`, else those in the configuration, which is read only then. */
export async function chooseKeys(
  context: CommandContext,
  keyFile: string | undefined,
): Promise<PasswordKeys> {
  return keyFile === undefined
    ? loadPasswordKeys(context.config().pwdencryptor, context.note)
    : loadKeyFile(keyFile, '--key-file', context.note);
}

/**
 * Like {@link chooseKeys}, for encryption with the first key.
 *
 * @throws {CommanderError} `configuration`
 */
export async function chooseEncryptionKeys(
  context: CommandContext,
  keyFile: string | undefined,
): Promise<PasswordKeys> {
  const keys = await chooseKeys(context, keyFile);
  assertEncrypts(keys);
  return keys;
}

interface KeyFile {
  readonly content: Uint8Array;
  readonly mode: number;
  readonly isPipe: boolean;
}

async function readKeyFile(path: string, form: KeyForm | undefined, place: string): Promise<KeyFile> {
  try {
    const file = await open(path);
    try {
      const stats = await file.stat();
      const content = await readAtMost(file.createReadStream({ autoClose: false }), MAX_KEY_FILE_BYTES);
      return { content, mode: stats.mode, isPipe: stats.isFIFO() };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(path, form, place, error);
  }
}

function unreadable(path: string, form: KeyForm | undefined, place: string, error: unknown): CommanderError {
  if (!isShowableKeyPath(path)) {
    // Without its cause, which contains the path: logs show causes.
    return configurationError(`${place}: ${noFile(path, form)}`);
  }
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = isMissing
    ? 'key file not found; create one with "svccmd keygen"'
    : `the key file cannot be read: ${describeReadError(error)}`;
  return configurationError(`${place}: ${path}: ${reason}`, error);
}

/** Why there is no such file, without its name, which may be the key itself. */
function noFile(path: string, form: KeyForm | undefined): string {
  if (form === undefined) {
    return 'key file not found; create one with "svccmd keygen", or write hex: or base64: before the key itself';
  }
  return isInlineKey(`${form}:${path}`)
    ? `what follows ${form}: is a key, not a file name; write it to a file, since every user of this machine can read the command line`
    : `what follows ${form}: is neither a file name nor a key of 16, 24 or 32 bytes`;
}

function parse(content: Uint8Array, form: KeyForm | undefined, place: string, warn: Warn): PasswordKeys {
  try {
    const keys = parseKeyFile(content, form);
    for (const { kid } of keys.filter(({ isConstant }) => isConstant))
      warn(`warning: ${place}: key ${kid} is one byte repeated and protects nothing; rotate to a new one`);
    return keys;
  } catch (error) {
    if (error instanceof InvalidKeyError) throw configurationError(`${place}: ${error.message}`, error);
    throw error;
  }
}

function configurationError(message: string, cause?: unknown): CommanderError {
  return new CommanderError('configuration', message, { cause });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
