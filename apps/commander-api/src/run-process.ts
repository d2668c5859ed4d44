import { COMMANDS } from './command-table.js';
import { EXIT } from './errors/commander-error.js';
import { invokedCommand } from './command-line/program.js';
import { readVersion } from './command-line/read-version.js';
import { runCommandLine } from './command-line/run-command-line.js';

/** Runs a command line as this process, and ends the process with its exit code. */
export async function runProcess(argv: readonly string[]): Promise<never> {
  process.title = titleOf(argv);
  const ending = new ProcessEnding(process);
  const exitCode = await runCommandLine({
    argv,
    commands: COMMANDS,
    version: readVersion(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signal: ending.signal,
  });
  return ending.exit(exitCode);
}

/** What the process list shows from now on, in place of the arguments: one of them may be a password. */
function titleOf(argv: readonly string[]): string {
  const command = COMMANDS.find(({ name }) => name === invokedCommand(argv));
  return command ? `svccmd ${command.name}` : 'svccmd';
}

/** Exit codes of a process that a signal ended, as shells report them: 128 + the signal's number. */
const SIGNAL_EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

type Signal = keyof typeof SIGNAL_EXITS;

const SIGNALS = Object.keys(SIGNAL_EXITS) as Signal[];

/** How long a command may clean up after a signal, in milliseconds. */
const CLEAN_UP_MS = 30_000;

/**
 * Ends the process the way callers expect: a signal aborts `signal`, lets the command clean up and decides the exit
 * code unless the command completed all the same; a second one ends at once; a reader of standard output that went away (`| head`) ends it quietly.
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

  /** @param code what the command ended with; undefined when it did not complete because it was interrupted */
  async exit(code: number | undefined): Promise<never> {
    await new Promise<void>((resolve) => this.process.stdout.write('', () => resolve()));
    // From here on a signal ends it, even where the exit itself is held up.
    for (const name of SIGNALS) this.process.removeAllListeners(name);
    this.process.exit(this.lostOutputWith ?? code ?? this.interruptedWith ?? EXIT.failed);
  }

  private interrupt(name: Signal): void {
    if (this.signal.aborted) this.endBy(name);
    this.interruptedWith = SIGNAL_EXITS[name];
    setTimeout(() => this.endBy(name), CLEAN_UP_MS).unref();
    this.controller.abort();
  }

  /** By the signal itself: `process.exit` waits for threads, and the system may hold one for ever. */
  private endBy(name: Signal): void {
    this.process.emit('exit', SIGNAL_EXITS[name]);
    this.process.removeAllListeners(name);
    this.process.kill(this.process.pid, name);
    // Signals that it does not handle spare the first process of a container.
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
