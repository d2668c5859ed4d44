import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import type { EncpwdOptions } from './encpwd-options.js';
import { PasswordCommand } from './password-command.js';

const AFTER_HELP = `
Without <password>, the password is read from standard input (a byte order mark and one trailing line break are
dropped), or prompted for twice on a terminal. This is the safe way: arguments are visible to every user of the machine in
the process list, and stay in your shell's history. With --set, it is the only way: the argument is the key, such as
database.password.

Files are YAML, JSON or INI by their extension. Everything in them but the passwords is preserved byte for byte.`;

export function encpwdCommand(context: CommandContext): Command {
  return withFileOptions(
    new PasswordCommand('encpwd')
      .description(
        'Encrypt a password for configuration files with the key in pwdencryptor.key, or seal it to public keys.',
      )
      .argument('[password]', 'the password; unsafe, since others can see it (see below)')
      .option('--key-file <file>', 'use this key file instead of the configured one; - for standard input')
      .option(
        '--recipient <file>',
        'seal to this public key: only its private key decrypts; repeat it for several',
        collect,
      )
      .option('--for <place>', 'bind the password to a place, such as db.yaml/password, that decpwd verifies')
      .option('--yaml', 'print !encpwd "..." instead of the bare value'),
  )
    .addHelpText('after', AFTER_HELP)
    .action(async (password: string | undefined, options: EncpwdOptions) => {
      refuseStandardInput(options);
      // Loaded when needed, so that help stays fast.
      if (options.rotate) {
        const { runRotate } = await import('./run-rotate.js');
        return runRotate(context, password, options, options.rotate);
      }
      refuseRotationOptions(options);
      if (options.file) {
        const { runEncryptMarked } = await import('./run-encrypt-marked.js');
        return runEncryptMarked(context, password, options, options.file);
      }
      if (options.dryRun) throw new CommanderError('usage', '--dry-run requires --rotate or --file');
      const { runEncrypt, runSet } = await import('./run-encrypt.js');
      return options.set === undefined
        ? runEncrypt(context, password, options)
        : runSet(context, password, options, options.set);
    });
}

function withFileOptions(command: Command): Command {
  const modes = ['set', 'file', 'rotate'];
  const mode = (flags: string, description: string, name: string) =>
    new Option(flags, description).conflicts(modes.filter((other) => other !== name));
  return command
    .addOption(mode('--set <file>', 'put the password into this file, at the key given as argument', 'set'))
    .addOption(mode('--file <files...>', 'encrypt every !encpwd-plain in these files in place', 'file'))
    .addOption(
      mode(
        '--rotate <paths...>',
        're-encrypt every !encpwd in these files and folders in place, for the configured recipients or, if there are none, with the first key',
        'rotate',
      ),
    )
    .option('--old-key-file <files...>', 'additional keys to decrypt with, for --rotate')
    .option('--to-recipient <file>', 'seal to this public key, for --rotate; repeat it for several', collect)
    .option('--keep-going', 'with --rotate, skip files with passwords that cannot be decrypted')
    .option('--dry-run', 'with --rotate or --file, report what would change');
}

/** Standard input contains one thing, and cannot be changed in place. */
function refuseStandardInput({ keyFile, oldKeyFile = [], set, file = [], rotate = [] }: EncpwdOptions): void {
  if ([set, ...file, ...rotate].includes('-'))
    throw new CommanderError('usage', '--set, --file and --rotate change files; - is not one');
  if ([keyFile, ...oldKeyFile].filter((name) => name === '-').length > 1)
    throw new CommanderError('usage', '- can be given once, for one key file: standard input is read once');
}

const collect = (value: string, earlier: readonly string[] = []): string[] => [...earlier, value];

function refuseRotationOptions({ oldKeyFile, toRecipient, keepGoing }: EncpwdOptions): void {
  const flag = oldKeyFile ? '--old-key-file' : toRecipient ? '--to-recipient' : keepGoing && '--keep-going';
  if (flag) throw new CommanderError('usage', `${flag} requires --rotate`);
}
