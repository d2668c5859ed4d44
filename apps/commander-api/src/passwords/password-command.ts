import { Command } from 'commander';

/**
 * A command whose arguments are secrets: a password that starts with a hyphen looks like an unknown option, which
 * commander would print.
 */
export class PasswordCommand extends Command {
  /** Called by commander instead of its own error. */
  protected unknownOption(): never {
    return this.error(
      'unknown option; put -- before a password that begins with a hyphen, or give the password on standard input',
    );
  }

  /** Creates subcommands of the same kind. */
  override createCommand(name?: string): Command {
    return new PasswordCommand(name);
  }
}
