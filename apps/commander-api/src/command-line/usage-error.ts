import type { CommanderError } from 'commander';

/** The parser ends the run: the command line is not right, or help or the version was asked for. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** @param path the words that lead to the command whose usage it is, such as `svccmd library` */
  constructor(
    readonly fault: CommanderError,
    readonly path: string,
  ) {
    super(fault.message, { cause: fault });
  }
}
