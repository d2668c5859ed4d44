import { documentFormat, NoSuchKeyError, setPassword } from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { replaceFiles } from '../files/replace-files.js';
import { chooseTarget } from './choose-target.js';
import { encryptAnswer, type EncryptedPassword } from './encrypt-answer.js';
import type { EncpwdOptions } from './encpwd-options.js';
import { readDocumentFile } from './read-document-file.js';
import { readNewPassword } from './read-password.js';

/** Encrypts one password and prints it. */
export async function runEncrypt(
  context: CommandContext,
  password: string | undefined,
  options: EncpwdOptions,
): Promise<void> {
  const value = await encryptOne(context, password, options);
  const { encrypted_password: encrypted } = value;
  context.answer({ text: options.yaml ? tagged(encrypted) : encrypted, value });
}

/** JSON, for several recipients, has double quotes. */
const tagged = (encrypted: string): string =>
  encrypted.includes('"') ? `!encpwd '${encrypted}'` : `!encpwd "${encrypted}"`;

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
  const text = await readDocumentFile(file, context);
  // Before the password is asked for.
  await set(file, async () => setPassword(text, format, key, 'x'));
  const value = await encryptOne(context, undefined, options);
  const content = await set(file, async () => setPassword(text, format, key, value.encrypted_password));
  await replaceFiles([{ path: file, content }], context.signal);
  const kids = value.recipients ?? [value.kid];
  context.answer({
    text: `${file}: ${key} is encrypted with key ${kids.join(', ')}`,
    value: { file, key, ...value },
  });
}

async function set(file: string, change: () => Promise<string>): Promise<string> {
  return change().catch((error: unknown) => {
    if (!(error instanceof NoSuchKeyError)) throw error;
    throw new CommanderError('failed', `${file}: ${error.message}\nno file was changed`, { cause: error });
  });
}

async function encryptOne(
  context: CommandContext,
  password: string | undefined,
  options: EncpwdOptions,
): Promise<EncryptedPassword> {
  if (options.keyFile === '-' && password === undefined)
    throw new CommanderError('usage', '--key-file - leaves no standard input for the password; use a file');
  const target = await chooseTarget(context, options);
  return encryptAnswer(password ?? (await readNewPassword(context)), target, options.for);
}
