import { COMMANDS } from './command-table.js';
import { ProcessEnding } from './process-ending.js';
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
