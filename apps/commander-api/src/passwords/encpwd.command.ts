import type { Command } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { counted } from '../command-line/text.js';
import { CommanderError } from '../errors/commander-error.js';
import { PasswordCommand } from './password-command.js';

interface Options {
  readonly keyFile?: string;
  readonly yaml?: true;
  readonly rotate?: readonly string[];
  readonly oldKeyFile?: readonly string[];
}

const AFTER_HELP = `
Without <password>, the password is read from standard input (one trailing line break is dropped), or prompted for
twice on a terminal. This is the safe way: arguments are visible to every user of the machine in the process list, and
stay in your shell's history.`;

export function encpwdCommand(context: CommandContext): Command {
  return new PasswordCommand('encpwd')
    .description('Encrypt a password for configuration files with the AES key in pwdencryptor.key.')
    .argument('[password]', 'the password; unsafe, since others can see it (see below)')
    .option('--key-file <file>', 'use this key file instead of the configured one')
    .option('--yaml', 'print !encpwd "..." instead of the bare value')
    .option(
      '--rotate <files...>',
      're-encrypt every !encpwd in these YAML files in place, with the first key',
    )
    .option('--old-key-file <files...>', 'additional keys to decrypt with, for --rotate')
    .addHelpText('after', AFTER_HELP)
    .action(async (password: string | undefined, options: Options) => {
      if (options.rotate) await rotate(context, password, options, options.rotate);
      else await encrypt(context, password, options);
    });
}

/** Loaded when needed, so that help stays fast. */
const encryption = async () => ({
  ...(await import('./encrypt-answer.js')),
  ...(await import('./load-password-keys.js')),
  ...(await import('./read-password.js')),
  ...(await import('./rotate-files.js')),
});

async function encrypt(
  context: CommandContext,
  argument: string | undefined,
  options: Options,
): Promise<void> {
  if (options.oldKeyFile) throw new CommanderError('usage', '--old-key-file requires --rotate');
  const { chooseEncryptionKeys, encryptAnswer, readNewPassword } = await encryption();
  const keys = await chooseEncryptionKeys(context, options.keyFile);
  const value = await encryptAnswer(argument ?? (await readNewPassword(context)), keys);
  const { encrypted_password: encrypted } = value;
  context.answer({ text: options.yaml ? `!encpwd "${encrypted}"` : encrypted, value });
}

async function rotate(
  context: CommandContext,
  password: string | undefined,
  { keyFile, oldKeyFile = [], yaml }: Options,
  files: readonly string[],
): Promise<void> {
  if (password !== undefined || yaml)
    throw new CommanderError('usage', '--rotate takes only YAML files: no password and no --yaml');
  const { chooseEncryptionKeys, loadKeyFile, rotateFiles } = await encryption();
  const [first, ...others] = await chooseEncryptionKeys(context, keyFile);
  for (const file of oldKeyFile) others.push(...(await loadKeyFile(file, '--old-key-file', context.note)));
  const rotated = await rotateFiles(files, [first, ...others], context);
  const changed = rotated.filter(({ passwords }) => passwords > 0);
  const total = changed.reduce((sum, { passwords }) => sum + passwords, 0);
  context.answer({
    text: `${counted(total, 'password')} in ${counted(changed.length, 'file')}, now under key ${first.kid}`,
    value: { kid: first.kid, files: rotated },
  });
}
