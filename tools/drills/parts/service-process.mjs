// A service as it is delivered: the built program as a process of its own, whose log is read as it comes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listeningAddress } from '@svc/test-servers';

/** What the services issue as secrets: 256 bits in base64url. Nothing else in a log is so long and without a break. */
const SECRET = /(?<![\w-])(?:svcr_|svcreg_)?[\w-]{43}(?![\w-])/;

/** The levels that tell of a fault of the service. */
const ERRORS = ['error', 'fatal'];

/** Lines that tell of faults, as many as are worth reading. */
const MAX_KEPT = 20;

const appFile = (app, file) => fileURLToPath(new URL(`../../../apps/${app}/dist/${file}`, import.meta.url));

/** The program and the words before those of the caller. */
const PROGRAMS = {
  'registry-api': [appFile('registry-api', 'main.js')],
  'commander-api': [fileURLToPath(new URL('../../../apps/commander-api/bin/svccmd.js', import.meta.url))],
};

/** The log of a service, of which only what must not be there is kept. */
class WatchedLog {
  /** The first lines of the level error and above, or that are no JSON; `errorCount` is how many there were. */
  errors = [];
  /** Lines that hold a secret, which is blotted out. */
  leaks = [];
  errorCount = 0;
  /** @type {string | undefined} */
  #rest = '';

  take(chunk) {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) this.#takeLine(line);
  }

  #takeLine(line) {
    if (SECRET.test(line)) keep(this.leaks, line.replace(SECRET, '********'));
    if (!ERRORS.includes(levelOf(line))) return;
    this.errorCount += 1;
    keep(this.errors, line.slice(0, 2_000));
  }
}

function keep(lines, line) {
  if (lines.length < MAX_KEPT) lines.push(line);
}

function levelOf(line) {
  try {
    return JSON.parse(line).level;
  } catch {
    return 'error';
  }
}

/**
 * Starts a service and waits until it listens.
 *
 * @param {'registry-api' | 'commander-api'} app
 * @param {Record<string, string>} environment all that it sees beside PATH
 * @param {string[]} [words] of its command line
 * @returns where it listens, its log, its memory in MB (10^6 bytes), and what ends it
 * @throws with all it said when it ends instead
 */
export async function startService(app, environment, words = []) {
  const child = spawn(process.execPath, [...PROGRAMS[app], ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = new WatchedLog();
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => log.take(String(chunk)));
  const url = await listeningAddress(child);
  return {
    url,
    log,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    residentMb: () => residentMb(child.pid),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** As the system counts it; undefined where there is no /proc. */
function residentMb(pid) {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}
