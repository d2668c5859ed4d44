import { spawn } from 'node:child_process';

/** The command itself, to be run by Node. */
export const SVCCMD = new URL('../../bin/svccmd.js', import.meta.url).pathname;

/** What a process left behind. */
export interface Ended {
  /** Exit code; undefined when a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts the built svccmd. Of the environment it gets the path only, and `env`. */
export function startSvccmd(args: readonly string[], { cwd, env = {} }: RunOptions) {
  return spawn(process.execPath, [SVCCMD, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs the built svccmd to its end. */
export async function runSvccmd(args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = startSvccmd(args, options);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  const code = await new Promise<number | undefined>((resolve) =>
    child.on('close', (ended) => resolve(ended ?? undefined)),
  );
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}
