import { escapeLines } from '@svc/foundation';
import {
  type DocumentFormat,
  type EncryptionTarget,
  kidsOf,
  PasswordKey,
  rotatePasswords,
} from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { counted } from '../command-line/text.js';
import { CommanderError } from '../errors/commander-error.js';
import { changeFiles, type Changes, noteLinks } from './change-files.js';
import type { EncpwdOptions } from './encpwd-options.js';
import { assertEncrypts, chooseKeys, loadKeyFile } from './load-password-keys.js';
import { loadRecipients } from './load-recipients.js';

/** Re-encrypts the passwords in files and folders. */
export async function runRotate(
  context: CommandContext,
  password: string | undefined,
  options: EncpwdOptions,
  paths: readonly string[],
): Promise<void> {
  const { keyFile, oldKeyFile = [], toRecipient, dryRun = false, keepGoing = false } = options;
  if (password !== undefined || options.yaml || options.recipient || options.for !== undefined)
    throw new CommanderError(
      'usage',
      '--rotate takes only files: no password, --yaml, --for or --recipient (use --to-recipient)',
    );
  const [first, ...others] = await chooseKeys(context, keyFile);
  for (const file of oldKeyFile)
    others.push(...(await loadKeyFile(file, '--old-key-file', context.note, context.stdin)));
  const target = await chooseRotationTarget();
  const rotate = async (text: string, format: DocumentFormat) => {
    const { rotated, ...result } = await rotatePasswords(text, [first, ...others], { target, format });
    return { ...result, passwords: rotated };
  };
  const changes = await changeFiles(paths, rotate, { dryRun, keepGoing }, context);
  noteLinks(context, changes);
  const kids = kidsOf(target);
  context.answer({
    text: reportText(changes, kids, dryRun),
    value: {
      kid: kids[0],
      ...(!(target instanceof PasswordKey) && { recipients: kids }),
      dry_run: dryRun,
      files: changes.files,
      errors: changes.errors,
      skipped_links: changes.links,
    },
  });
  if (changes.errors.length > 0)
    throw new CommanderError('failed', [...changes.errors, 'these files were not changed']);

  async function chooseRotationTarget(): Promise<EncryptionTarget> {
    if (toRecipient) return loadRecipients(toRecipient, '--to-recipient');
    const { recipients = [] } = context.config().pwdencryptor;
    if (recipients.length > 0) return loadRecipients(recipients, 'pwdencryptor.recipients');
    assertEncrypts([first]);
    return first;
  }
}

function reportText({ files }: Changes, kids: readonly string[], dryRun: boolean): string {
  const changed = files.filter(({ passwords }) => passwords > 0);
  const total = changed.reduce((sum, { passwords }) => sum + passwords, 0);
  const lines = changed.map(
    ({ file, passwords, from = [] }) =>
      `${file}: ${counted(passwords, 'password')} of key ${from.join(', ')}`,
  );
  const done = dryRun ? 'would be' : 'now';
  const which = kids.length === 1 ? `key ${kids[0]}` : `keys ${kids.join(', ')}`;
  const summary = `${counted(total, 'password')} in ${counted(changed.length, 'file')}, ${done} under ${which}`;
  return escapeLines([...(dryRun || changed.length > 1 ? lines : []), summary]);
}
