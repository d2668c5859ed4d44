import { EXIT } from './exit-code.js';

/** Exit codes of a process that a signal ended, as shells report them: 128 + the signal's number. */
const SIGNAL_EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

/** How long a command may clean up after a signal, in milliseconds. */
const CLEAN_UP_MS = 10_000;

/**
 * Ends the process the way callers expect: a signal aborts `signal`, lets the command clean up and decides the exit
 * code; a second one ends at once; a reader of standard output that went away (`| head`) ends it quietly.
 */
export class ProcessEnding {
  private readonly controller = new AbortController();
  private exitCode: number | undefined;

  readonly signal: AbortSignal = this.controller.signal;

  constructor(private readonly process: NodeJS.Process) {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => this.interrupt(name));
    process.stderr.on('error', () => undefined);
    process.stdout.on('error', (error: NodeJS.ErrnoException) => this.lostOutput(error));
  }

  /** @param code what the command ended with; a signal or lost output rules over it */
  async exit(code: number): Promise<never> {
    await new Promise<void>((resolve) => this.process.stdout.write('', () => resolve()));
    this.process.exit(this.exitCode ?? code);
  }

  private interrupt(name: keyof typeof SIGNAL_EXITS): void {
    if (this.signal.aborted) this.process.exit(SIGNAL_EXITS[name]);
    this.exitCode = SIGNAL_EXITS[name];
    setTimeout(() => this.process.exit(SIGNAL_EXITS[name]), CLEAN_UP_MS).unref();
    this.controller.abort();
  }

  private lostOutput(error: NodeJS.ErrnoException): void {
    if (this.exitCode !== undefined) return;
    this.exitCode = error.code === 'EPIPE' ? EXIT.ok : EXIT.failed;
    if (error.code !== 'EPIPE') {
      this.process.stderr.write(`svccmd: cannot write to standard output (${error.code ?? error.message})\n`);
    }
    this.controller.abort();
  }
}
