import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ended, type RunOptions, runSvccmd, startSvccmd } from '../shell/run-svccmd.js';

/** Runs in svccmd's process: logs each change of a file before it is made, and stops the process before one of them. */
const OBSERVER = `
import { appendFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
const { CHANGES_LOG: log, STOP_AT: at, STOP_BY: signal } = process.env;
let count = 0;
let former;
const change = (what, path) => {
  const next = what + ' ' + basename(String(path)).replace(/\\.[^.]*\\.partial$/, '.partial');
  appendFileSync(log, next + '\\n');
  if ([String(++count), 'before ' + next, 'after ' + former].includes(at)) process.kill(process.pid, signal);
  former = next;
};
const observe = (object, name, pathOf = (path) => path, isChange = () => true) => {
  const original = object[name];
  object[name] = function (...args) {
    if (isChange(...args)) change(name, pathOf(...args));
    return original.apply(this, args);
  };
};
const handle = await fs.open('/dev/null');
observe(Object.getPrototypeOf(handle), 'write', () => '');
await handle.close();
for (const name of ['mkdir', 'rm', 'rmdir', 'utimes', 'writeFile']) observe(fs, name);
for (const name of ['copyFile', 'link', 'rename']) observe(fs, name, (_, target) => target);
const writes = (_, flags = 'r') => (typeof flags === 'number' ? (flags & 3) > 0 : flags !== 'r');
observe(fs, 'open', (path) => path, writes);
syncBuiltinESMExports();
`;

const LOG = 'changes.log';

/** The options of a run that is observed, and stopped at a moment by a signal. */
function observed(
  { cwd, env = {} }: RunOptions,
  moment: number | string,
  signal: NodeJS.Signals,
): RunOptions {
  const log = join(cwd, LOG);
  rmSync(log, { force: true });
  const observer = `--import data:text/javascript,${encodeURIComponent(OBSERVER)}`;
  const settings = { CHANGES_LOG: log, STOP_AT: String(moment), STOP_BY: signal };
  return { cwd, env: { ...env, NODE_OPTIONS: observer, ...settings } };
}

const changesIn = (cwd: string) => readFileSync(join(cwd, LOG), 'utf8').trimEnd().split('\n');

/**
 * Runs svccmd, and kills it (SIGKILL) before it changes a file. Wherever it is killed between two changes, it leaves the
 * same files.
 *
 * @param moment number of the change, from 1, or `before rename geo.mmdb`, or `after` it. Default: it runs to its end
 * @returns the changes that it made, the last one of which was prevented
 */
export async function runUntilChange(
  args: readonly string[],
  options: RunOptions,
  moment: number | string = 0,
): Promise<Ended & { readonly changes: readonly string[] }> {
  const ended = await runSvccmd(args, observed(options, moment, 'SIGKILL'));
  return { ...ended, changes: changesIn(options.cwd) };
}

/**
 * Runs svccmd, and pauses it before it changes a file.
 *
 * @param moment such as `before open .geo.mmdb.partial`
 * @param meanwhile what to do while it is paused
 */
export async function runAround(
  args: readonly string[],
  options: RunOptions,
  moment: string,
  meanwhile: () => Promise<unknown>,
): Promise<number | null> {
  const child = startSvccmd(args, observed(options, moment, 'SIGSTOP'));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const isPaused = () =>
    existsSync(join(options.cwd, LOG)) && `before ${changesIn(options.cwd).at(-1)}` === moment;
  while (!isPaused()) await sleep(20);
  await meanwhile();
  child.kill('SIGCONT');
  return ended;
}
