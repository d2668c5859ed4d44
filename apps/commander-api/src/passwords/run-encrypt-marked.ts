import { escapeLines } from '@svc/foundation';
import { encryptMarked, kidsOf } from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { counted } from '../command-line/text.js';
import { CommanderError } from '../errors/commander-error.js';
import { changeFiles, noteLinks } from './change-files.js';
import { chooseTarget } from './choose-target.js';
import type { EncpwdOptions } from './encpwd-options.js';

/** Encrypts what is marked `!encpwd-plain` in files and folders. */
export async function runEncryptMarked(
  context: CommandContext,
  password: string | undefined,
  options: EncpwdOptions,
  paths: readonly string[],
): Promise<void> {
  const { dryRun = false } = options;
  if (password !== undefined || options.yaml || options.for !== undefined)
    throw new CommanderError('usage', '--file takes only files: no password, no --yaml and no --for');
  const target = await chooseTarget(context, options);
  const changes = await changeFiles(
    paths,
    async (text, format) => {
      const { count, ...result } = await encryptMarked(text, target, format);
      return { ...result, passwords: count };
    },
    { dryRun, keepGoing: false },
    context,
  );
  noteLinks(context, changes);
  const changed = changes.files.filter(({ passwords }) => passwords > 0);
  const total = changed.reduce((sum, { passwords }) => sum + passwords, 0);
  const kids = kidsOf(target);
  const done = dryRun ? 'would be encrypted' : 'encrypted';
  context.answer({
    text: escapeLines([
      ...changed.map(({ file, passwords }) => `${file}: ${counted(passwords, 'password')}`),
      `${counted(total, 'password')} ${done} with key ${kids.join(', ')}`,
    ]),
    value: { kids, dry_run: dryRun, files: changed, skipped_links: changes.links },
  });
}
