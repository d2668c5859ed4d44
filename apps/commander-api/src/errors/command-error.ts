/** What the process's exit status says: the same table in the help, the docs and the tests. */
export const EXIT = { ok: 0, failed: 1, usage: 2, configuration: 3, unreachable: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command cannot go on. `message` is one line that names the place, the reason and the remedy. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.failed,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A signal came within a change, so that nobody knows whether it was made: told although the signal decides the end. */
export class UnknownOutcomeError extends CommandError {}
