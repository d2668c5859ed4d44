import { COMMANDS } from './command-table.js';
import { EXIT } from './errors/commander-error.js';
import { invokedCommand } from './command-line/program.js';
import { packageVersion } from '@svc/foundation/files';
import { runCommandLine } from './command-line/run-command-line.js';

/** Runs a command line as this process, and exits with its exit code. */
export async function runProcess(argv: readonly string[]): Promise<never> {
  process.title = titleOf(argv);
  const ending = new ProcessEnding(process);
  const exitCode = await runCommandLine({
    argv,
    commands: COMMANDS,
    version: packageVersion(import.meta.url),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signal: ending.signal,
  });
  return ending.exit(exitCode);
}

/** Replaces the arguments in the process list: one of them may be a password. */
function titleOf(argv: readonly string[]): string {
  const command = COMMANDS.find(({ name }) => name === invokedCommand(argv));
  return command ? `svccmd ${command.name}` : 'svccmd';
}

/** Exit codes after a signal, as shells report them: 128 + the signal's number. */
const SIGNAL_EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

type Signal = keyof typeof SIGNAL_EXITS;

const SIGNALS = Object.keys(SIGNAL_EXITS) as Signal[];

/** Time for a command to clean up after a signal, in milliseconds. */
const CLEAN_UP_MS = 30_000;

/**
 * Ends the process as callers expect. A signal aborts `signal`, lets the command clean up and determines the exit code,
 * unless the command completed anyway; a second signal ends it immediately. If the reader of standard output goes away
 * (`| head`), the process exits quietly, with success unless the command failed.
 */
class ProcessEnding {
  private readonly controller = new AbortController();
  private interruptedWith: number | undefined;
  private lostOutputWith: number | undefined;

  readonly signal: AbortSignal = this.controller.signal;

  constructor(private readonly process: NodeJS.Process) {
    for (const name of SIGNALS) process.on(name, () => this.interrupt(name));
    process.stderr.on('error', () => undefined);
    process.stdout.on('error', (error: NodeJS.ErrnoException) => this.lostOutput(error));
  }

  /** @param code the command's exit code; undefined if it was interrupted before completion */
  async exit(code: number | undefined): Promise<never> {
    await new Promise<void>((resolve) => this.process.stdout.write('', () => resolve()));
    // From here on a signal ends the process, even if the exit itself hangs.
    for (const name of SIGNALS) this.process.removeAllListeners(name);
    const failed = code === EXIT.ok ? undefined : code;
    this.process.exit(failed ?? this.lostOutputWith ?? code ?? this.interruptedWith ?? EXIT.failed);
  }

  private interrupt(name: Signal): void {
    if (this.signal.aborted) this.endBy(name);
    this.interruptedWith = SIGNAL_EXITS[name];
    setTimeout(() => this.endBy(name), CLEAN_UP_MS).unref();
    this.controller.abort();
  }

  /** Kills the process with the signal: `process.exit` waits for threads, and one may hang forever. */
  private endBy(name: Signal): void {
    this.process.emit('exit', SIGNAL_EXITS[name]);
    this.process.removeAllListeners(name);
    this.process.kill(this.process.pid, name);
    // PID 1 ignores unhandled signals.
    this.process.exit(SIGNAL_EXITS[name]);
  }

  private lostOutput(error: NodeJS.ErrnoException): void {
    if (this.lostOutputWith !== undefined) return;
    this.lostOutputWith = error.code === 'EPIPE' ? EXIT.ok : EXIT.failed;
    if (error.code !== 'EPIPE') {
      this.process.stderr.write(`svccmd: cannot write to standard output (${error.code ?? error.message})\n`);
    }
    this.controller.abort();
  }
}
