// Runs one layer of tests across all projects in one go: TEST_LAYER=unit, integration or e2e.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const layer = process.env.TEST_LAYER ?? 'unit';

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
      testMatch: [TEST_MATCH[layer]],
    })),
  ),
  // Frees what test files leave behind in a worker.
  workerIdleMemoryLimit: '1GB',
  // Real servers start within; a hanging test must still end.
  testTimeout: layer === 'unit' ? 20_000 : 120_000,
});
