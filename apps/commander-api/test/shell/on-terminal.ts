import { spawn } from 'node:child_process';

const SVCCMD = new URL('../../bin/svccmd.js', import.meta.url).pathname;

/** Gives the program a terminal of Python's making as its standard streams. */
const SCRIPT = 'import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

export interface TerminalOptions {
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the screen shows when it is time to type. */
  readonly prompt: string;
  /** Runs while the prompt is shown. */
  readonly beforehand?: () => Promise<unknown>;
  readonly typed: string;
}

/** Runs svccmd on a terminal and types once it is asked. */
export async function onTerminal(
  args: readonly string[],
  { cwd, env, prompt, beforehand, typed }: TerminalOptions,
): Promise<{ code: number | null; screen: string }> {
  const child = spawn('/usr/bin/python3', ['-c', SCRIPT, process.execPath, SVCCMD, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  const asked = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
      if (screen.includes(prompt)) resolve();
    });
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await Promise.race([asked, ended]);
  await beforehand?.();
  child.stdin.on('error', () => undefined).write(typed);
  return { code: await ended, screen };
}
