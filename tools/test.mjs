// `npm test`: installs the real parts that are missing, builds, runs every layer of tests and counts.
//   npm test                          everything
//   npm test -- unit                  one layer, or several: unit, integration, e2e
//   npm test -- e2e library           a layer, and only test files whose path matches
//   npm test -- --project=registry-ui one project; `nx affected -t test` does so for each that a change may affect
// TEST_WORKERS is how many test files run at once (2 of unit tests, else 3).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { findLeaks } from './find-leaks.mjs';
import { ensureDebianPackages } from './setup/debian-packages.mjs';

const LAYERS = ['unit', 'integration', 'e2e'];

/** A run that takes longer hangs: a test has left something open, and that is a failure. */
const LAYER_DEADLINE_MS = 15 * 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const asked = words.filter((word) => LAYERS.includes(word));
const project = words.find((word) => word.startsWith('--project='))?.slice('--project='.length);
const patterns = words.filter((word) => !LAYERS.includes(word) && !word.startsWith('--project='));
const layers = asked.length > 0 ? asked : LAYERS;

if (layers.some((layer) => layer !== 'unit')) ensureDebianPackages();
// The services run as built, and prepare the databases of the tests. Nx builds what a task depends on.
if (layers.some((layer) => layer !== 'unit') && process.env.NX_TASK_TARGET_PROJECT === undefined) build();

/** Where the tests keep what the services issued, answered and wrote. */
const record = mkdtempSync(join(tmpdir(), 'svc-tests-'));

const total = { passed: 0, failed: 0, skipped: 0 };
for (const layer of layers) {
  const started = Date.now();
  const counts = runLayer(layer);
  for (const kind of Object.keys(total)) total[kind] += counts[kind];
  console.log(`\n${layer}: ${lineOf(counts)} in ${Math.round((Date.now() - started) / 1000)} s\n`);
}
console.log(lineOf(total));
const { secrets, leaks } = findLeaks(record);
rmSync(record, { recursive: true });
for (const leak of leaks) console.error(leak);
if (secrets > 0)
  console.log(`${secrets} secrets were issued, ${leaks.length} of them found where none should be`);
process.exitCode = total.failed > 0 || total.passed === 0 || leaks.length > 0 ? 1 : 0;

function runLayer(layer) {
  const report = `${root}/.nx/tests-${layer}.json`;
  mkdirSync(`${root}/.nx`, { recursive: true });
  rmSync(report, { force: true });
  const { status, error } = spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      ...['--config', 'tools/jest-layer.config.mjs', '--passWithNoTests'],
      // Much of a test is waiting for a server, so three files at once fit into two cores; unit tests wait for nothing.
      `--maxWorkers=${process.env.TEST_WORKERS ?? (layer === 'unit' ? 2 : 3)}`,
      ...['--json', '--outputFile', report],
      ...(project === undefined ? [] : ['--selectProjects', project]),
      ...patterns,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, TEST_LAYER: layer, TEST_RUN_FOLDER: record },
      timeout: LAYER_DEADLINE_MS,
      killSignal: 'SIGKILL',
    },
  );
  if (error) console.error(`jest did not end by itself: ${error.message}`);
  const result = readReport(report);
  // A test file that cannot be loaded has no tests to count, and is a failure all the same.
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return {
    passed: result.numPassedTests,
    failed: status !== 0 && failed === 0 ? 1 : failed,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    console.error('jest ended without a report');
    return {
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 0,
      numPassedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
    };
  }
}

function lineOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
