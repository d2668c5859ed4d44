// Runs a Node program in its own process and measures time and memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Loaded into the measured process; writes its resource usage on exit. `maxRSS` is not its own peak alone: it counts the
 * memory of the process that started it, too.
 */
const REPORTER = `data:text/javascript,${encodeURIComponent(`
import { readFileSync, writeFileSync } from 'node:fs';
const file = process.env.BENCH_FIGURES;
delete process.env.BENCH_FIGURES;
process.on('exit', () => {
  const [, peakKb] = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(file, JSON.stringify({ ...process.resourceUsage(), peakKb }));
});
`)}`;

/**
 * @param args a script and its arguments
 * @returns wall clock and CPU time in seconds, peak memory in MB (10^6 bytes), standard output
 * @throws if the process exits with a status other than 0
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
    const { userCPUTime, systemCPUTime, peakKb } = JSON.parse(readFileSync(figures, 'utf8'));
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    return { seconds, cpuSeconds, peakMb: (peakKb * 1024) / 1e6, stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The median run by `value`, which ignores outliers. */
export function median(runs, value) {
  return runs.toSorted((a, b) => value(a) - value(b))[Math.floor(runs.length / 2)];
}
