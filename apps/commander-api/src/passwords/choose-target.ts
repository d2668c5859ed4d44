import type { EncryptionTarget } from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { assertEncrypts, chooseKeys } from './load-password-keys.js';
import { loadRecipients } from './load-recipients.js';

interface TargetOptions {
  readonly recipient?: readonly string[];
  readonly keyFile?: string;
}

/**
 * What to encrypt to: the public keys of `--recipient`, the first key of `--key-file`, else what is configured.
 *
 * @throws {CommanderError} `configuration`, `usage`
 */
export async function chooseTarget(
  context: CommandContext,
  { recipient, keyFile }: TargetOptions,
): Promise<EncryptionTarget> {
  if (recipient && keyFile !== undefined)
    throw new CommanderError('usage', '--recipient encrypts with public keys alone; leave out --key-file');
  if (recipient) return loadRecipients(recipient, '--recipient');
  if (keyFile === undefined) {
    const { recipients = [] } = context.config().pwdencryptor;
    if (recipients.length > 0) return loadRecipients(recipients, 'pwdencryptor.recipients');
  }
  const keys = await chooseKeys(context, keyFile);
  assertEncrypts(keys);
  return keys[0];
}
