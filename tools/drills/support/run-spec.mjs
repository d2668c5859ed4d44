import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { findLeaks } from '../../find-leaks.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** These tests start real servers. */
const TEST_TIMEOUT_MS = 120_000;

/**
 * Runs a spec file of the drills.
 *
 * @param {string} file its path from the root of the repository
 * @param {object} options
 * @param {Record<string, number>} [options.environment] variables read by the file, such as the number of rounds
 * @param {number} options.minutes a longer run counts as hanging, one of the failures a drill detects
 * @returns {Promise<{ figures: import('../drills.mjs').Figure[] }>} what it measured (recordFigure of
 *   libs/test-servers)
 * @throws {Error} with the messages of the failed tests, and the `figures` so far
 */
export async function runSpec(file, { environment = {}, minutes }) {
  const folder = mkdtempSync(join(tmpdir(), 'drill-'));
  try {
    const { status, report } = await runJest(file, { environment, minutes, folder });
    const figures = figuresIn(folder);
    const failures = [...failuresIn(report), ...findLeaks(folder).leaks];
    if (status !== 0 || failures.length > 0 || report.numPassedTests === 0) {
      throw Object.assign(new Error(failures.join('\n\n') || `${file}: no test passed`), { figures });
    }
    if (report.numPendingTests === 0) return { figures };
    return {
      figures: [...figures, { what: 'tests skipped on this machine', value: String(report.numPendingTests) }],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runJest(file, { environment, minutes, folder }) {
  const output = join(folder, 'report.json');
  const project = /^(?:apps|libs)\/[^/]+|^tools/.exec(file)?.[0];
  const child = spawn(
    process.execPath,
    [
      ...[
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        'node_modules/jest/bin/jest.js',
      ],
      ...['--config', `${project}/jest.config.js`, '--maxWorkers=1', '--silent'],
      ...['--testMatch', '<rootDir>/test/**/*.drill-spec.ts', `--testTimeout=${TEST_TIMEOUT_MS}`],
      ...['--json', '--outputFile', output, '--runTestsByPath', file],
    ],
    {
      cwd: root,
      timeout: minutes * 60_000,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...strings(environment), TEST_LAYER: 'drill', TEST_RUN_FOLDER: folder },
    },
  );
  const [status, signal] = await once(child, 'close');
  if (signal === 'SIGKILL') throw new Error(`${file} did not end within ${minutes} minutes`);
  return { status, report: JSON.parse(readFileSync(output, 'utf8')) };
}

function strings(environment) {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
}

function figuresIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.startsWith('figures.'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line));
}

/** Jest's messages for failed tests, and for a file that cannot be loaded. */
function failuresIn({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ message }) => stripVTControlCharacters(message).trim());
}
