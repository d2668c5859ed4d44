// `npm test`: installs missing test dependencies, builds, and runs every layer of tests.
//   npm test                          everything
//   npm test -- unit                  one layer, or several: unit, integration, e2e
//   npm test -- e2e library           only test files of a layer whose path matches
//   npm test -- --project=registry-ui one project; `nx affected -t test` runs each affected project
// TEST_POSTGRES=14 (to 18) runs the tests on that version of PostgreSQL, which is fetched from npm.
// TEST_WORKERS sets the number of test files run in parallel (unit tests: 2, otherwise 4). Integration and e2e tests run
// together, so that the long files of one layer do not leave a core idle before the other starts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { findLeaks } from './find-leaks.mjs';
import { readCommandLine } from './setup/command-line.mjs';
import { ensureDebianPackages } from './setup/debian-packages.mjs';

const LAYERS = ['unit', 'integration', 'e2e'];

const TEST_NAMES = { unit: /\.spec\.ts$/, integration: /\.integration-spec\.ts$/, e2e: /\.e2e-spec\.ts$/ };

/** A longer run counts as hanging, such as after a test that left something open. */
const LAYER_DEADLINE_MS = 30 * 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const {
  words,
  values: { project },
} = readCommandLine([], ['project']);
const asked = words.filter((word) => LAYERS.includes(word));
const patterns = words.filter((word) => !LAYERS.includes(word));
const layers = asked.length > 0 ? asked : LAYERS;

if (layers.some((layer) => layer !== 'unit')) ensureDebianPackages();
// The services run as built, and prepare the databases of the tests. Nx builds what a task depends on.
if (layers.some((layer) => layer !== 'unit') && process.env.NX_TASK_TARGET_PROJECT === undefined) build();

/** Where the tests record issued secrets, responses and logs. */
const record = mkdtempSync(join(tmpdir(), 'svc-tests-'));

const total = { passed: 0, failed: 0, skipped: 0 };
const runs = [layers.filter((layer) => layer === 'unit'), layers.filter((layer) => layer !== 'unit')];
for (const run of runs.filter(({ length }) => length > 0)) {
  const started = Date.now();
  const counts = runLayers(run);
  const seconds = Math.round((Date.now() - started) / 1000);
  for (const layer of run) {
    for (const kind of Object.keys(total)) total[kind] += counts[layer][kind];
    console.log(`\n${layer}: ${lineOf(counts[layer])}`);
  }
  console.log(`${run.join(' and ')} took ${seconds} s\n`);
}
console.log(lineOf(total));
const { secrets, leaks } = findLeaks(record);
rmSync(record, { recursive: true });
for (const leak of leaks) console.error(leak);
if (secrets > 0) console.log(`${secrets} secrets were issued, ${leaks.length} of them leaked`);
process.exitCode = total.failed > 0 || total.passed === 0 || leaks.length > 0 ? 1 : 0;

/**
 * Runs some layers together.
 *
 * @returns the counts of each
 */
function runLayers(run) {
  const name = run.join('-');
  const report = `${root}/.nx/tests-${name}.json`;
  mkdirSync(`${root}/.nx`, { recursive: true });
  rmSync(report, { force: true });
  const { status, error } = spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      ...['--config', 'tools/jest-layer.config.mjs', '--passWithNoTests'],
      // Tests spend much time waiting for servers, so four workers fit on two cores; unit tests do not wait.
      `--maxWorkers=${process.env.TEST_WORKERS ?? (name === 'unit' ? 2 : 4)}`,
      ...['--json', '--outputFile', report],
      // Before the project: the option would take them for further projects.
      ...patterns,
      ...(project === undefined ? [] : ['--selectProjects', project]),
    ],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, TEST_LAYER: run.join(), TEST_RUN_FOLDER: record },
      timeout: LAYER_DEADLINE_MS * run.length,
      killSignal: 'SIGKILL',
    },
  );
  if (error) console.error(`jest did not end by itself: ${error.message}`);
  const files = readReport(report);
  const counts = Object.fromEntries(run.map((layer) => [layer, countsOf(files, TEST_NAMES[layer])]));
  if (status !== 0 && run.every((layer) => counts[layer].failed === 0)) counts[run[0]].failed = 1;
  return counts;
}

/** @returns the report's test files; empty without a report */
function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    console.error('jest ended without a report');
    return [];
  }
}

function countsOf(files, names) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of files.filter(({ name }) => names.test(name))) {
    const statuses = file.assertionResults.map(({ status }) => status);
    for (const status of statuses) {
      if (status === 'passed' || status === 'failed') counts[status] += 1;
      else counts.skipped += 1;
    }
    // A test file that cannot be loaded has no tests, but counts as a failure.
    if (file.status === 'failed' && !statuses.includes('failed')) counts.failed += 1;
  }
  return counts;
}

function lineOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
