import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { runInProcess } from './run-in-process.js';
import type { Ended } from './run-svccmd.js';

/** Where a line is typed. */
export interface TypingPlace {
  /** Its `bin` folder holds `svccmd`. */
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** `svccmd` and its words, perhaps with files as its input and output: nothing that needs a shell. */
const PLAIN = /^svccmd(?: +(?:'[^']*'|[\w@%+=:,./-]+))*(?: < [\w.]+)?(?: > [\w./]+)?$/;

/**
 * Runs a line of shell as a reader would type it. A plain call of svccmd runs in this process; where pipes, variables or
 * patterns are involved, bash runs the line, with the built svccmd.
 */
export async function typeLine(line: string, place: TypingPlace): Promise<Ended> {
  return PLAIN.test(line) ? typePlain(line, place) : typeInShell(line, place);
}

async function typePlain(line: string, { cwd, env = {} }: TypingPlace): Promise<Ended> {
  const [, command = '', from, to] = /^svccmd(.*?)(?: < (\S+))?(?: > (\S+))?$/.exec(line)!;
  const words = [...command.matchAll(/'([^']*)'|([^\s']+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
  const input = from === undefined ? '' : readFileSync(join(cwd, from));
  const ended = await runInProcess(words, { cwd, env, input });
  if (to === undefined) return ended;
  writeFileSync(join(cwd, to), ended.stdout);
  return { ...ended, stdout: '' };
}

/** Runs lines of shell, one after the other until one fails. */
export async function typeInShell(lines: string, { cwd, env = {} }: TypingPlace): Promise<Ended> {
  const child = spawn('bash', ['--norc', '-e', '-o', 'pipefail', '-c', lines], {
    cwd,
    env: { PATH: `${cwd}/bin:${process.env['PATH']}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code: code ?? undefined, stdout, stderr };
}

/**
 * Types lines one after the other, each of which has to succeed.
 *
 * @returns what they reported on standard error
 */
export async function expectSuccess(lines: readonly string[], place: TypingPlace): Promise<string> {
  let notes = '';
  for (const line of lines) {
    const { code, stderr } = await typeLine(line, place);
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
    notes += stderr;
  }
  return notes;
}
