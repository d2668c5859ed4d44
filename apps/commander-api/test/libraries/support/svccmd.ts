import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { recordLog } from '@svc/test-servers';
import { runInProcess } from '../../shell/run-in-process.js';
import type { Ended } from '../../shell/run-svccmd.js';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

/** Starts the built command line as a process of its own. */
export function startSvccmd(words: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
  const env = { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...environment };
  return spawn(process.execPath, [CLI, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs svccmd to its end in this process. */
export async function svccmd(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const ended = await runInProcess(words, { env });
  recordLog(ended.stdout + ended.stderr);
  return ended;
}

/** Runs the built command line to its end. */
export async function svccmdProcess(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const child = startSvccmd(words, environment);
  const outcome = { stdout: '', stderr: '' };
  child.stdout!.on('data', (chunk: Buffer) => (outcome.stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (outcome.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  recordLog(outcome.stdout + outcome.stderr);
  return { code, ...outcome };
}
