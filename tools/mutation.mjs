// `npm run mutation -- iplookup-core`: mutation testing of a library. Changes its code in small ways, one at a time,
// and runs the unit tests that cover the change. A surviving mutant shows what is not tested.
//   npm run mutation -- client-metadata           a whole library
//   npm run mutation -- iplookup-core csv rows    only these folders or files of its src
//   npm run mutation -- iplookup-core csv --tests=csv,build/input-violation.spec.ts   only these tests
//   npm run mutation -- iplookup-core --static    also code that runs on module load, such as tables (slow)
// The report is .nx/mutation/<library>.html. MUTATION_WORKERS sets the number of workers (2).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { readCommandLine } from './setup/command-line.mjs';

/** Minimum share of killed mutants, in percent. */
const GOAL = 85;

/** Timeout in milliseconds, in addition to 1.5 times the duration of the unmutated run. */
const PATIENCE_MS = 3000;

const root = fileURLToPath(new URL('..', import.meta.url));
const { words, flags, values } = readCommandLine(['static'], ['tests']);
const [library, ...parts] = words;
const testParts = values.tests?.split(',');
const libraries = readdirSync(`${root}libs`).filter((name) =>
  existsSync(`${root}libs/${name}/jest.config.js`),
);
if (!libraries.includes(library)) {
  console.error(`say which library: ${libraries.join(', ')}`);
  process.exit(2);
}

process.chdir(root);
const mutants = await new Stryker(await optionsFor(library, parts)).runMutationTest();
const score = summarize(mutants);
process.exitCode = score >= GOAL ? 0 : 1;

async function optionsFor(name, parts) {
  const folder = `libs/${name}`;
  const { default: jestConfig } = await import(`${root}${folder}/jest.config.js`);
  const { dependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const siblings = Object.keys(dependencies).filter((dependency) => dependency.startsWith('@svc/'));
  return {
    mutate: [
      ...(parts.length > 0 ? parts : ['']).map((part) => pattern(`${folder}/src`, part)),
      `!${folder}/src/**/*.spec.ts`,
      `!${folder}/src/index.ts`,
    ],
    // Only what the tests need is copied.
    ignorePatterns: [
      '**',
      ...[folder, ...siblings.map((s) => s.replace('@svc', 'libs'))].map((f) => `!${f}/**/*`),
    ],
    tempDirName: `.nx/mutation/copy-${name}`,
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    jest: {
      projectType: 'custom',
      config: {
        ...jestConfig,
        rootDir: folder,
        // Loads our modules for each test file: code that runs on load is mutated, too.
        runtime: `${root}tools/jest/node-runtime.mjs`,
        setupFiles: [`${root}tools/mutation/short-properties.mjs`],
        ...(testParts && { testMatch: testParts.map((part) => pattern('<rootDir>/src', part, '.spec.ts')) }),
      },
    },
    coverageAnalysis: /** @type {const} */ ('perTest'),
    timeoutMS: PATIENCE_MS,
    ignoreStatic: !flags.static,
    concurrency: Number(process.env.MUTATION_WORKERS ?? 2),
    disableTypeChecks: true,
    allowConsoleColors: process.stdout.isTTY === true,
    reporters: ['clear-text', 'html', 'json', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    clearTextReporter: { reportTests: false, allowColor: process.stdout.isTTY === true },
    htmlReporter: { fileName: `.nx/mutation/${name}.html` },
    jsonReporter: { fileName: `.nx/mutation/${name}.json` },
  };
}

/** A folder, a file, or everything when it is empty. */
function pattern(source, part, ending = '.ts') {
  if (part === '') return `${source}/**/*${ending}`;
  return part.endsWith('.ts') ? `${source}/${part}` : `${source}/${part}/**/*${ending}`;
}

/** Prints one line. @returns the share of killed mutants, in percent */
function summarize(results) {
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const missed = count('Survived', 'NoCoverage');
  const score = (100 * noticed) / Math.max(1, noticed + missed);
  const left = count('Ignored');
  console.log(
    `RESULT mutation of ${[library, ...parts].join(' ')}: ${score.toFixed(1)} % of ${noticed + missed} mutants noticed` +
      ` (${count('Timeout')} by not ending), ${missed} missed, ${left} left out`,
  );
  return score;
}
