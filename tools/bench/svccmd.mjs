// svccmd's start-up time, compared with an empty Node process, and its server's memory when idle.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { measureProcess, median } from './process-figures.mjs';

export const name = 'svccmd';

const SVCCMD = fileURLToPath(new URL('../../apps/commander-api/bin/svccmd.js', import.meta.url));

/** The commands to start, besides the floor. */
const COMMANDS = {
  '--version': ['--version'],
  '--help': ['--help'],
  'encpwd --help': ['encpwd', '--help'],
  encpwd: ['encpwd', 'hunter2', '--key-file', 'password.key'],
};

/** The goal for a start; on slow machines, a multiple of Node's own start-up time. */
const MOST_MS = 300;
const MOST_STARTS_OF_NODE = 5;

const MOST_IDLE_MB = 100;

/** Lets the server release its start-up memory. */
const SETTLING_MS = 5_000;

export async function run({ quick, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'svccmd-bench-'));
  const key = join(folder, 'password.key');
  writeFileSync(key, randomBytes(32).toString('hex'), { mode: 0o600 });
  /** @type {{ rows: { what: string, MB: number, goal?: string, met?: string }[], ratios: Record<string, number> }} */
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
      const row = startRow(what, ours, floor);
      log(`${what}: ${row.ms} ms, node -e 0: ${row['node ms']} ms; ${row.goal}: ${row.met}`);
      result.rows.push(row);
      result.ratios[`${what}: time to that of node -e 0`] = row.times;
    }
    const [idleMb, nodeMb] = [await idleMemory(folder), await idleMemoryOfNode()];
    const goal = `at most ${MOST_IDLE_MB} MB`;
    result.rows.push(
      { what: 'serve, idle', MB: Math.round(idleMb), goal, met: yesOrNo(idleMb <= MOST_IDLE_MB) },
      { what: 'node, idle', MB: Math.round(nodeMb) },
    );
    result.ratios['serve, idle: memory to that of an idle node'] = idleMb / nodeMb;
    const goals = result.rows.filter(({ met }) => met !== undefined);
    result.ratios['goals met, of all (1: all)'] =
      goals.filter(({ met }) => met === 'yes').length / goals.length;
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
      if (log.includes('"url"')) resolve(undefined);
    });
    child.once('close', (status) => reject(new Error(`serve ended with status ${status}: ${log}`)));
  });
  return residentOf(child);
}

async function idleMemoryOfNode() {
  return residentOf(spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e9)']));
}

/** Resident memory in MB (10^6 bytes); kills the process. */
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
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}

function startRow(what, ours, floor) {
  const [ms, nodeMs, times] = [ours.seconds * 1000, floor.seconds * 1000, ours.seconds / floor.seconds];
  return {
    what,
    ms: Math.round(ms),
    'node ms': Math.round(nodeMs),
    times: Math.round(times * 100) / 100,
    'CPU ms': Math.round(ours.cpuSeconds * 1000),
    MB: Math.round(ours.peakMb),
    goal: `at most ${MOST_MS} ms or ${MOST_STARTS_OF_NODE} times node -e 0`,
    met: yesOrNo(ms <= MOST_MS || times <= MOST_STARTS_OF_NODE),
  };
}

function yesOrNo(met) {
  return met ? 'yes' : 'no';
}
