import { Command } from 'commander';

/**
 * A command whose arguments are secrets: a password that begins with a hyphen looks like an unknown option, and
 * commander would print it.
 */
export class PasswordCommand extends Command {
  /** Called by commander in place of its own complaint. */
  protected unknownOption(): never {
    return this.error(
      'unknown option; put -- before a password that begins with a hyphen, or give the password on standard input',
    );
  }

  /** Makes subcommands of the same kind. */
  override createCommand(name?: string): Command {
    return new PasswordCommand(name);
  }
}
