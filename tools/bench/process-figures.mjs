// Runs a Node program as a process of its own and tells how long it took and how much memory it needed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Loaded into the measured process: at its end it leaves what the system counted for it. */
const REPORTER = `data:text/javascript,${encodeURIComponent(`
import { writeFileSync } from 'node:fs';
const file = process.env.BENCH_FIGURES;
delete process.env.BENCH_FIGURES;
process.on('exit', () => writeFileSync(file, JSON.stringify(process.resourceUsage())));
`)}`;

/**
 * @param args a script and its arguments
 * @returns wall clock and CPU time in seconds, peak memory in MB (10^6 bytes), standard output
 * @throws when the process ends with another status than 0
 */
export async function measureProcess(args, environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-figures-'));
  const figures = join(folder, 'figures.json');
  try {
    const started = performance.now();
    const child = spawn(process.execPath, ['--import', REPORTER, ...args], {
      env: { ...process.env, ...environment, BENCH_FIGURES: figures },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    const [status] = await once(child, 'close');
    const seconds = (performance.now() - started) / 1000;
    if (status !== 0) throw new Error(`${args.join(' ')} ended with status ${status}`);
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(figures, 'utf8'));
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    return { seconds, cpuSeconds, peakMb: (maxRSS * 1024) / 1e6, stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The run in the middle by `value`: what a noisy machine did once does not count. */
export function median(runs, value) {
  return runs.toSorted((a, b) => value(a) - value(b))[Math.floor(runs.length / 2)];
}
