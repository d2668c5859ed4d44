import { bareValue, decryptPassword } from '@svc/password-format';
import type { Command } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { chooseKeys } from './load-password-keys.js';
import { PasswordCommand } from './password-command.js';
import { readStandardInput } from './read-password.js';

const AFTER_HELP = `
A pipe or file receives exactly the bytes of the password; on a terminal a line break follows. Without
<encrypted_password>, the value is read from standard input.`;

/** Shown on a terminal that waits for input. */
const TO_TYPE = 'Paste the encrypted password, then press Enter and Ctrl-D.';

export function decpwdCommand(context: CommandContext): Command {
  return new PasswordCommand('decpwd')
    .description('Decrypt a password that encpwd encrypted.')
    .argument('[encrypted_password]', 'the bare value, or !encpwd "..." as in YAML')
    .option('--key-file <file>', 'use this key file instead of the configured one')
    .addHelpText('after', AFTER_HELP)
    .action(async (argument: string | undefined, { keyFile }: { keyFile?: string }) => {
      const keys = await chooseKeys(context, keyFile);
      if (argument === undefined && context.stdin.isTTY) context.note(TO_TYPE);
      const encrypted = argument ?? (await readStandardInput(context)).toString('utf8');
      const password = await decryptPassword(bareValue(encrypted), keys);
      context.answer({ text: password, value: { password }, raw: true });
    });
}
