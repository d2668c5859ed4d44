import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidKeyError, parseKeyFile, type KeyForm, type PasswordKeys } from '@svc/password-format';
import { CommandError, EXIT } from '../cli/exit-code.js';
import { isInlineKey, looksLikeKey, splitKeySetting } from '../config/key-setting.js';

/** Whatever is longer is no key file. */
const MAX_FILE_BYTES = 65_536;

/** Tells the operator something that does not stop the work. */
export type Warn = (line: string) => void;

/**
 * Loads the keys that `pwdencryptor.key` names: the first encrypts, all decrypt.
 *
 * @param setting the configuration's value; undefined when there is none
 * @throws {CommandError} with `EXIT.configuration`
 */
export async function loadPasswordKeys(setting: string | undefined, warn: Warn): Promise<PasswordKeys> {
  if (setting === undefined) {
    throw configurationError(
      'no key is configured; set pwdencryptor.key, or make one with "svccmd keygen <file>"',
    );
  }
  if (!isInlineKey(setting)) return loadKeyFile(setting, warn);
  const { form, rest } = splitKeySetting(setting);
  if (form !== 'hex' && (await exists(rest))) {
    throw configurationError(
      `pwdencryptor.key could be a key or the name of a file here; write ${form}:./<file> for the file`,
    );
  }
  return parse(Buffer.from(rest), form, 'pwdencryptor.key');
}

/**
 * Loads a key file.
 *
 * @param name its path, after `hex:`, `base64:` or `raw:` when that is not clear from its content
 * @throws {CommandError} with `EXIT.configuration`
 */
export async function loadKeyFile(name: string, warn: Warn): Promise<PasswordKeys> {
  const { form, rest: path } = splitKeySetting(name);
  if (path === '') throw configurationError('the key file has no name');
  const { content, mode } = await readKeyFile(path);
  if ((mode & 0o004) !== 0) warn(`warning: ${path} can be read by every user of this machine; chmod 600 it`);
  return parse(content, form, path);
}

async function readKeyFile(path: string): Promise<{ content: Uint8Array; mode: number }> {
  try {
    const file = await open(path, constants.O_RDONLY);
    try {
      const content = Buffer.alloc(MAX_FILE_BYTES + 1);
      const { bytesRead } = await file.read(content, 0, content.length);
      return { content: content.subarray(0, bytesRead), mode: (await file.stat()).mode };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): CommandError {
  const { code = 'unreadable' } = error as NodeJS.ErrnoException;
  if (looksLikeKey(basename(path))) {
    return configurationError(
      'the key file cannot be read; if the setting is the key itself, write hex: or base64: before it',
    );
  }
  if (code === 'ENOENT')
    return configurationError(`${path}: there is no such key file; make one with "svccmd keygen"`);
  return configurationError(`${path}: the key file cannot be read (${code})`, error);
}

function parse(content: Uint8Array, form: KeyForm | undefined, place: string): PasswordKeys {
  try {
    return parseKeyFile(content, form);
  } catch (error) {
    if (error instanceof InvalidKeyError) throw configurationError(`${place}: ${error.message}`, error);
    throw error;
  }
}

function configurationError(message: string, cause?: unknown): CommandError {
  return new CommandError(message, EXIT.configuration, { cause });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
