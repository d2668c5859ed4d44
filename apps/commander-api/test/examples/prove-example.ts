import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { COMMAND_EXAMPLES } from '../../src/command-line/command-examples.js';
import { onTerminal } from '../shell/on-terminal.js';
import { type Ended, startSvccmd } from '../shell/run-svccmd.js';
import { expectSuccess, typeLine } from '../shell/type-line.js';

/** How an example of the help is proved to work. It always has to end with 0. */
export interface Proof {
  /** Files of the folder that are not there yet. */
  readonly without?: readonly string[];
  /** Lines of shell that the example presumes. */
  readonly after?: readonly string[];
  /** What it asks on a terminal, and what is typed then. */
  readonly asks?: { readonly prompt: string; readonly typed: string };
  /** It runs until stopped. */
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
  // Only root can write there.
  const typed = line.replace('/etc/', `${folder}/etc/`);
  for (const file of proof.without ?? []) rmSync(join(folder, file));
  await expectSuccess(proof.after ?? [], { cwd: folder, env });
  const { code, stdout, stderr } = await run(typed, proof, folder, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('svccmd:') as string });
  expect(stdout).toMatch(proof.shows);
  if (proof.leaves !== undefined) await expectSuccess([proof.leaves], { cwd: folder, env });
}

async function run(line: string, proof: Proof, folder: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  if (proof.runsOn) return runOn(line, proof.shows, folder, env);
  if (!proof.asks) return typeLine(line, { cwd: folder, env });
  const { code, screen } = await onTerminal(wordsOf(line), { cwd: folder, env, ...proof.asks });
  return { code: code ?? undefined, stdout: screen, stderr: '' };
}

/** Stops it once it has printed the expected output. */
async function runOn(line: string, shows: RegExp, folder: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = startSvccmd(wordsOf(line), { cwd: folder, env });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    if (shows.test(shown)) child.kill('SIGTERM');
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [stderr, [code]] = await Promise.all([text(child.stderr), ended]);
  return { code: code ?? undefined, stdout: shown, stderr };
}

function wordsOf(line: string): string[] {
  return line.split(' ').slice(1);
}
