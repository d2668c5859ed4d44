import type { EncryptionTarget } from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { CommanderError } from '../errors/commander-error.js';
import { assertEncrypts, chooseKeys, loadPasswordKeys, type Warn } from './load-password-keys.js';
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
  if (keyFile === undefined) return configuredTarget(context.config().pwdencryptor, context.note);
  const keys = await chooseKeys(context, keyFile);
  assertEncrypts(keys);
  return keys[0];
}

/**
 * The public keys in `pwdencryptor.recipients`, else the first configured key.
 *
 * @throws {CommanderError} `configuration`
 */
export async function configuredTarget(
  settings: CommanderConfig['pwdencryptor'],
  warn: Warn,
): Promise<EncryptionTarget> {
  const { recipients = [] } = settings;
  if (recipients.length > 0) return loadRecipients(recipients, 'pwdencryptor.recipients');
  const keys = await loadPasswordKeys(settings, warn);
  assertEncrypts(keys);
  return keys[0];
}
