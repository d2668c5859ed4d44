import { access } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { InvalidKeyError, type KeyForm, parseKeyFile, type PasswordKeys } from '@svc/password-format';
import { configurationError } from '../errors/commander-error.js';
import type { CommandContext } from '../command-line/command-context.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { isInlineKey, splitKeySetting } from '../config/convert-value.js';
import { credentialName } from '../config/systemd-credentials.js';
import { readKeyFile } from './read-key-file.js';
import type { KeyCommandOptions } from './run-key-command.js';

/** Warns the operator. */
export type Warn = (line: string) => void;

/** True if there is a key to decrypt with. */
export const hasKey = ({ key, key_command }: CommanderConfig['pwdencryptor']): boolean =>
  key !== undefined || key_command !== undefined;

/**
 * Loads the keys in `pwdencryptor.key`, or those that `pwdencryptor.key_command` prints: the first encrypts, all decrypt.
 *
 * @throws {CommanderError} `configuration`
 */
export async function loadPasswordKeys(
  settings: CommanderConfig['pwdencryptor'],
  warn: Warn,
  commandOptions: KeyCommandOptions = {},
): Promise<PasswordKeys> {
  const { key: setting, key_command: command } = settings;
  const place = settingPlace('key', settings.keyOrigin);
  if (command !== undefined) {
    const commandPlace = settingPlace('key_command', settings.key_commandOrigin);
    if (setting !== undefined)
      throw configurationError(`${place} and ${commandPlace} are both set; keep one of them`);
    const { runKeyCommand } = await import('./run-key-command.js');
    const printed = await runKeyCommand(command, commandPlace, commandOptions);
    const [prefix = '', form] = /^(hex|base64|raw):/.exec(printed.subarray(0, 8).toString('latin1')) ?? [];
    return parse(printed.subarray(prefix.length), form as KeyForm | undefined, commandPlace, warn);
  }
  if (setting === undefined) {
    throw configurationError(
      'no key is configured; set pwdencryptor.key, or create one with "svccmd keygen <file>"',
    );
  }
  const credential = credentialName(setting);
  if (credential !== undefined)
    throw configurationError(
      `${place} names a credential of systemd, but CREDENTIALS_DIRECTORY is not set; add LoadCredential=${credential}:<file> to the unit`,
    );
  if (!isInlineKey(setting)) return loadKeyFile(setting, place, warn);
  const { form, rest } = splitKeySetting(setting);
  if (form !== 'hex' && (await exists(rest))) {
    throw configurationError(`${place} could be a key or a file name; write ${form}:./<file> for the file`);
  }
  return parse(Buffer.from(rest), form, place, warn);
}

const settingPlace = (key: string, origin: string | undefined): string =>
  `pwdencryptor.${key}${origin === undefined ? '' : ` (${origin})`}`;

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
 * @param stdin read for the name `-`
 * @throws {CommanderError} `configuration`
 */
export async function loadKeyFile(
  name: string,
  place: string,
  warn: Warn,
  stdin?: Readable,
): Promise<PasswordKeys> {
  const { form, rest: path } = splitKeySetting(name);
  if (path === '') throw configurationError(`${place}: the name of the key file is missing`);
  const { content, mode, isPipe } = await readKeyFile(path, form, place, stdin);
  const shown = path === '-' && stdin ? 'standard input' : path;
  if (content.length === 0) {
    throw configurationError(
      isPipe
        ? `${shown}: the pipe was closed before it delivered a key`
        : `${shown}: the key file is empty; create a new one with "svccmd keygen"`,
    );
  }
  const keys = parse(content, form, shown, warn);
  if ((mode & 0o004) !== 0)
    warn(`warning: ${shown} is readable by every user of this machine; run chmod 600 on it`);
  return keys;
}

/** The configured keys, for a command. */
export async function loadConfiguredKeys({
  config,
  note,
  signal,
  stdin,
}: CommandContext): Promise<PasswordKeys> {
  return loadPasswordKeys(config().pwdencryptor, note, { signal, hasTerminal: stdin.isTTY === true });
}

/** The keys in `--key-file`, else those in the configuration, which is read only then. */
export async function chooseKeys(
  context: CommandContext,
  keyFile: string | undefined,
): Promise<PasswordKeys> {
  return keyFile === undefined
    ? loadConfiguredKeys(context)
    : loadKeyFile(keyFile, '--key-file', context.note, context.stdin);
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
