// The programs compared: svccmd, bare batches, kazoo and git, each in its own process.
import { execFile, execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { measureProcess } from './process-figures.mjs';

const run = promisify(execFile);
const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url));
const SVCCMD = pathOf('../../apps/commander-api/bin/svccmd.js');
const CLEAR = pathOf('library-clear.mjs');
const FLOOR = pathOf('library-floor.mjs');
const KAZOO = pathOf('library-kazoo.py');
/** Debian's interpreter, for which python3-kazoo is installed. */
const PYTHON = '/usr/bin/python3';

/** @param place `address` of the cluster, `source` to load, `folder` for temporary files */
export async function load({ address, source, folder }, node, ...words) {
  const config = join(folder, 'svccmd.conf');
  writeFileSync(config, `[source]\npath=${source}\n[destination]\nurls=${address}\npath=${node}\n`);
  return figures(await measureProcess([SVCCMD, '-c', config, '--json', 'library', 'load', ...words]));
}

/** The same nodes in batches, without checks, comparison or records. */
export async function floorLoad({ address, source }, node) {
  return figures(await measureProcess([FLOOR, address, node, source]));
}

/** @param what `load` or `compare` */
export async function kazoo(what, { address, source }, node) {
  return timed(async () => JSON.parse((await run(PYTHON, [KAZOO, what, address, node, source])).stdout));
}

/** @param what arguments for git; undefined stands for a temporary folder */
export async function git({ folder }, ...words) {
  const target = join(folder, 'clone');
  const measured = await timed(async () => {
    await run(
      'git',
      words.map((word) => word ?? target),
      { env: { ...process.env, GIT_TERMINAL_PROMPT: '0' } },
    );
    return {};
  });
  rmSync(target, { recursive: true, force: true });
  return { ...measured, seconds: measured.processSeconds };
}

export async function clear({ address }, ...nodes) {
  await measureProcess([CLEAR, address, ...nodes]);
}

/** Commits everything in `folder` to a bare repository `<root>/library.git`. */
export function commitLibrary(folder, root) {
  const bare = join(root, 'library.git');
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  const inWorkTree = (...words) =>
    execFileSync('git', [`--git-dir=${bare}`, `--work-tree=${folder}`, ...identity, ...words]);
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  inWorkTree('add', '--all');
  inWorkTree('commit', '--quiet', '--message', 'The library');
  inWorkTree('repack', '-a', '-d', '--quiet');
}

async function timed(use) {
  const started = performance.now();
  const found = await use();
  return { ...found, processSeconds: (performance.now() - started) / 1000 };
}

/** The programs report the time of the work itself, without Node's start-up. */
function figures({ stdout, peakMb, cpuSeconds, seconds }) {
  return { seconds: JSON.parse(stdout).seconds, processSeconds: seconds, cpuSeconds, peakMb };
}
