import type { PasswordKeys } from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { assertEncrypts, loadKeyFile, loadPasswordKeys } from './load-password-keys.js';

/** The keys of `--key-file`, else those of the configuration, which is read only then. */
export async function chooseKeys(
  context: CommandContext,
  keyFile: string | undefined,
): Promise<PasswordKeys> {
  return keyFile === undefined
    ? loadPasswordKeys(context.config().pwdencryptor, context.note)
    : loadKeyFile(keyFile, '--key-file', context.note);
}

/**
 * The same, to encrypt with the first.
 *
 * @throws {CommandError} with `EXIT.configuration`
 */
export async function chooseEncryptionKeys(
  context: CommandContext,
  keyFile: string | undefined,
): Promise<PasswordKeys> {
  const keys = await chooseKeys(context, keyFile);
  assertEncrypts(keys);
  return keys;
}
