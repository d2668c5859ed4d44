import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { COMMAND_EXAMPLES } from '../../src/cli/command-examples.js';
import { onTerminal } from '../shell/on-terminal.js';
import { type Ended, startSvccmd } from '../shell/run-svccmd.js';

/** How an example of the help is proved to work. It always has to end with 0. */
export interface Proof {
  /** Files of the folder that are not there yet. */
  readonly without?: readonly string[];
  /** Lines of shell that the example presumes. */
  readonly after?: readonly string[];
  /** What it asks on a terminal, and what is typed then. */
  readonly asks?: { readonly prompt: string; readonly typed: string };
  /** It runs until it is told to end. */
  readonly runsOn?: true;
  /** What it prints. */
  readonly shows: RegExp;
  /** A line of shell that succeeds when the example left behind what it should. */
  readonly leaves?: string;
}

/** The examples of the commands that `isOurs` chooses by the words that lead to them, such as `library load`. */
export function examplesOf(isOurs: (path: string) => boolean): string[] {
  return Object.entries(COMMAND_EXAMPLES)
    .filter(([path]) => isOurs(path))
    .flatMap(([, examples]) => examples.map(({ line }) => line));
}

/** Runs an example as it is printed, in a folder of its own. */
export async function proveExample(
  line: string,
  proof: Proof,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  // Nobody but root can write there.
  const typed = line.replace('/etc/', `${folder}/etc/`);
  for (const file of proof.without ?? []) rmSync(join(folder, file));
  await expectSuccess(proof.after ?? [], folder, env);
  const { code, stdout, stderr } = await run(typed, proof, folder, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('svccmd:') as string });
  expect(stdout).toMatch(proof.shows);
  if (proof.leaves !== undefined) await expectSuccess([proof.leaves], folder, env);
}

async function expectSuccess(lines: readonly string[], folder: string, env: NodeJS.ProcessEnv) {
  for (const line of lines) {
    const { code, stderr } = await shell(line, folder, env);
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
  }
}

async function run(line: string, proof: Proof, folder: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  if (proof.runsOn) return runOn(line, proof.shows, folder, env);
  if (!proof.asks) return shell(line, folder, env);
  const { code, screen } = await onTerminal(wordsOf(line), { cwd: folder, env, ...proof.asks });
  return { code: code ?? undefined, stdout: screen, stderr: '' };
}

async function shell(line: string, folder: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn('bash', ['--norc', '-o', 'pipefail', '-c', line], {
    cwd: folder,
    env: { PATH: `${folder}/bin:${process.env['PATH']}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return ended(child);
}

/** Tells it to end once it has shown what it should. */
async function runOn(line: string, shows: RegExp, folder: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = startSvccmd(wordsOf(line), { cwd: folder, env });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    if (shows.test(shown)) child.kill('SIGTERM');
  });
  return ended(child);
}

async function ended(child: ChildProcessByStdio<Writable | null, Readable, Readable>): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? undefined, stdout, stderr };
}

function wordsOf(line: string): string[] {
  return line.split(' ').slice(1);
}
