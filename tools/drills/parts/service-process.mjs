// Runs a built service in its own process and monitors its log.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { listeningAddress } from '@svc/test-servers';

/** Secrets are 256 bits in base64url; nothing else in a log is that long without a break. */
const SECRET = /(?<![\w-])(?:svcr_|svcreg_)?[\w-]{43}(?![\w-])/;

/** The levels of service errors. */
const ERRORS = ['error', 'fatal'];

/** Maximum error lines kept. */
const MAX_KEPT = 20;

const MEMORY_IN_USE = new URL('memory-in-use.mjs', import.meta.url);

const appFile = (app, file) => fileURLToPath(new URL(`../../../apps/${app}/dist/${file}`, import.meta.url));

/** Each program with its leading arguments. */
const PROGRAMS = {
  'registry-api': [appFile('registry-api', 'main.js')],
  'commander-api': [fileURLToPath(new URL('../../../apps/commander-api/bin/svccmd.js', import.meta.url))],
};

/** A service's log, of which only unexpected lines are kept. */
class WatchedLog {
  /** The first lines at level error or above, or not JSON; `errorCount` is their total. */
  errors = [];
  /** Lines containing a secret, which is masked. */
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
 * @param {Record<string, string>} environment all variables except PATH
 * @param {string[]} [words] command-line arguments
 * @returns its address, its log, its memory in MB (10^6 bytes), and a function to stop it
 * @throws with its output if it exits instead
 */
export async function startService(app, environment, words = []) {
  const child = spawn(
    process.execPath,
    ['--expose-gc', `--import=${MEMORY_IN_USE}`, ...PROGRAMS[app], ...words],
    {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const log = new WatchedLog();
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => log.take(String(chunk)));
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error(`${app} exited`)));
  const url = await listeningAddress(child);
  return {
    url,
    log,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    memoryMb: () => memoryMb(child, ended.signal),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** After a full garbage collection. */
async function memoryMb(child, signal) {
  const answer = once(child, 'message', { signal });
  if (child.connected) child.send('collect');
  const [{ rss, heapUsed }] = await answer;
  return { resident: rss / 1e6, heap: heapUsed / 1e6 };
}
