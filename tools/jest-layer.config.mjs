// Runs tests across all projects: TEST_LAYER=unit, integration, e2e, or several separated by commas.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const layers = (process.env.TEST_LAYER ?? 'unit').split(',');

const TEST_MATCH = {
  unit: '<rootDir>/src/**/*.spec.ts',
  integration: '<rootDir>/test/**/*.integration-spec.ts',
  e2e: '<rootDir>/test/**/*.e2e-spec.ts',
};

const folders = [
  ...['apps', 'libs'].flatMap((kind) => readdirSync(`${root}${kind}`).map((name) => `${kind}/${name}`)),
  'tools',
].filter((folder) => existsSync(`${root}${folder}/jest.config.js`));

export default async () => ({
  rootDir: root,
  projects: await Promise.all(
    folders.map(async (folder) => ({
      ...(await import(`${root}${folder}/jest.config.js`)).default,
      rootDir: `${root}${folder}`,
      testMatch: layers.map((layer) => TEST_MATCH[layer]),
    })),
  ),
  testSequencer: `${root}tools/jest/longest-first.mjs`,
  // Frees memory that test files leave behind in a worker.
  workerIdleMemoryLimit: '1GB',
  // Allows for starting real servers, but ends a hanging test.
  testTimeout: layers.includes('unit') ? 60_000 : 120_000,
});
