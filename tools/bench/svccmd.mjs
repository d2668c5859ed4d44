// How long svccmd takes to start, against Node doing nothing, in turn; and what its server needs while nobody asks it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { measureProcess, median } from './process-figures.mjs';

export const name = 'svccmd';

const SVCCMD = fileURLToPath(new URL('../../apps/commander-api/bin/svccmd.js', import.meta.url));

/** What is started, beside the floor. */
const COMMANDS = {
  '--version': ['--version'],
  '--help': ['--help'],
  'encpwd --help': ['encpwd', '--help'],
  encpwd: ['encpwd', 'hunter2', '--key-file', 'password.key'],
};

/**
 * The goal is a start within 300 ms where Node itself takes 60; on other machines that is so many times what Node takes.
 */
const MOST_STARTS_OF_NODE = 300 / 60;

/** After its start the server has yet to give back what it needed for it. */
const SETTLING_MS = 5_000;

export async function run({ quick, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'svccmd-bench-'));
  const key = join(folder, 'password.key');
  writeFileSync(key, 'ab'.repeat(32), { mode: 0o600 });
  const result = { rows: [], ratios: {} };
  try {
    for (const [what, words] of Object.entries(COMMANDS)) {
      const args = words.map((word) => (word === 'password.key' ? key : word));
      const rounds = [];
      for (let round = 0; round < (quick ? 3 : 15); round += 1) {
        const floor = await measureProcess(['-e', '0']);
        rounds.push({ floor, ours: await measureProcess([SVCCMD, ...args]) });
      }
      const { floor, ours } = median(rounds, (each) => each.ours.seconds / each.floor.seconds);
      log(`${what}: ${milliseconds(ours)} ms, node -e 0: ${milliseconds(floor)} ms`);
      result.rows.push(rowOf(what, ours), rowOf(`node -e 0 (${what})`, floor));
      result.ratios[`${what}: time to that of node -e 0`] = ours.seconds / floor.seconds;
    }
    const starts = Object.values(result.ratios);
    result.ratios[`starts within the goal of ${MOST_STARTS_OF_NODE} times node -e 0 (1: all)`] =
      starts.filter((ratio) => ratio <= MOST_STARTS_OF_NODE).length / starts.length;
    const [idleMb, nodeMb] = [await idleMemory(folder), await idleMemoryOfNode()];
    result.rows.push(
      { what: 'serve, idle', MB: Math.round(idleMb) },
      { what: 'node, idle', MB: Math.round(nodeMb) },
    );
    result.ratios['serve, idle: memory to that of an idle node'] = idleMb / nodeMb;
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function idleMemory(folder) {
  writeFileSync(join(folder, 'svccmd.conf'), '[http]\nport=0\n');
  const child = spawn(process.execPath, [SVCCMD, 'serve'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      log += chunk;
      if (log.includes('"url"')) resolve();
    });
    child.once('close', (status) => reject(new Error(`serve ended with status ${status}: ${log}`)));
  });
  return residentOf(child);
}

async function idleMemoryOfNode() {
  return residentOf(spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e9)']));
}

/** In MB (10^6 bytes); ends the process. */
async function residentOf(child) {
  await sleep(SETTLING_MS);
  const kib = residentKib(child.pid);
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  return (kib * 1024) / 1e6;
}

function residentKib(pid) {
  if (process.platform === 'linux')
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}

function rowOf(what, figures) {
  return {
    what,
    ms: milliseconds(figures),
    'CPU ms': Math.round(figures.cpuSeconds * 1000),
    MB: Math.round(figures.peakMb),
  };
}

function milliseconds({ seconds }) {
  return Math.round(seconds * 1000);
}
