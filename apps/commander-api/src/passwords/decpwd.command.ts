import { bareValue, boundPlace, DecryptionError, decryptPassword } from '@svc/password-format';
import type { Command } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
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
    .option('--key-file <file>', 'use this key file instead of the configured one; - for standard input')
    .option('--for <place>', 'the place where the password was found, if it is bound to one')
    .addHelpText('after', AFTER_HELP)
    .action(async (argument: string | undefined, options: { keyFile?: string; for?: string }) => {
      const { keyFile, for: place } = options;
      if (keyFile === '-' && argument === undefined)
        throw new CommanderError('usage', '--key-file - leaves no standard input for the encrypted password');
      const keys = await chooseKeys(context, keyFile);
      if (argument === undefined && context.stdin.isTTY) context.note(TO_TYPE);
      const encrypted = bareValue(argument ?? (await readStandardInput(context)).toString('utf8'));
      const password = await decryptPassword(encrypted, keys, { place });
      if (place === undefined) assertUnbound(boundPlace(encrypted));
      context.answer({ text: password, value: { password }, raw: true });
    });
}

function assertUnbound(bound: string | undefined): void {
  if (bound === undefined) return;
  const place = JSON.stringify(bound);
  throw new DecryptionError(
    'misplaced',
    `the encrypted password is bound to ${place}; if you found it there, pass --for ${place}`,
  );
}
