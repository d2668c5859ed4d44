import { resolve } from 'node:path';
import {
  belongsAt,
  documentFormat,
  formatKeyPath,
  NoSuchKeyError,
  parseKeyPath,
  setPassword,
  taggedText,
} from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { digestOf, type Replacement, replaceFiles } from '../files/replace-files.js';
import { chooseTarget } from './choose-target.js';
import { encryptAnswer, type EncryptedAnswer } from './encrypt-answer.js';
import type { EncpwdOptions } from './encpwd-options.js';
import { decodeDocument, readDocumentBytes } from './read-document-file.js';
import { readNewPassword } from './read-password.js';

/** Encrypts one password and prints it. */
export async function runEncrypt(
  context: CommandContext,
  password: string | undefined,
  options: EncpwdOptions,
): Promise<void> {
  const value = await encryptOne(context, password, options);
  const { encrypted_password: encrypted } = value;
  context.answer({ text: options.yaml ? taggedText(encrypted) : encrypted, value });
}

/** Encrypts one password and puts it into a file. */
export async function runSet(
  context: CommandContext,
  key: string | undefined,
  options: EncpwdOptions,
  file: string,
): Promise<void> {
  if (key === undefined || options.yaml)
    throw new CommanderError('usage', '--set takes one argument, the key to set, and no --yaml');
  const format = documentFormat(file);
  if (!format) throw new CommanderError('usage', `${file}: the extension must be one of YAML, JSON or INI`);
  if (options.for !== undefined) assertPlace(options.for, file, key);
  // Before the password is asked for.
  await change(context, file, async (text) => setPassword(text, format, key, 'x'));
  const value = await encryptOne(context, undefined, options);
  // Read again, since typing takes a while.
  const replacement = await change(context, file, async (text) =>
    setPassword(text, format, key, value.encrypted_password),
  );
  await replaceFiles([replacement], context.signal);
  const kids = value.recipients ?? [value.kid];
  context.answer({
    text: `${file}: ${key} is encrypted with key ${kids.join(', ')}`,
    value: { file, key, ...value },
  });
}

function assertPlace(place: string, file: string, key: string): void {
  const path = parseKeyPath(key);
  if (belongsAt(place, resolve(file), path)) return;
  throw new CommanderError(
    'usage',
    `--for ${place} is not where the password goes; the place must be the end of ${file}/${formatKeyPath(path)}`,
  );
}

async function change(
  context: CommandContext,
  file: string,
  edit: (text: string) => Promise<string>,
): Promise<Replacement> {
  const bytes = await readDocumentBytes(file, context);
  try {
    return { path: file, content: await edit(decodeDocument(file, bytes)), before: digestOf(bytes) };
  } catch (error) {
    if (!(error instanceof NoSuchKeyError)) throw error;
    throw new CommanderError('failed', [`${file}: ${error.message}`, 'no file was changed'], {
      cause: error,
    });
  }
}

async function encryptOne(
  context: CommandContext,
  password: string | undefined,
  options: EncpwdOptions,
): Promise<EncryptedAnswer> {
  if (options.keyFile === '-' && password === undefined)
    throw new CommanderError('usage', '--key-file - leaves no standard input for the password; use a file');
  const target = await chooseTarget(context, options);
  return encryptAnswer(password ?? (await readNewPassword(context)), target, options.for);
}
