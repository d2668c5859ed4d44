import { fileURLToPath } from 'node:url';

const tool = (name) => fileURLToPath(new URL(`tools/jest/${name}`, import.meta.url));

/**
 * Jest settings shared by every project: swc strips the types, Node runs the tests as ES modules.
 * Three layers, told apart by name: `src/**` + `.spec.ts` (unit), `test/**` + `.integration-spec.ts` (a real part,
 * in this process) and `test/**` + `.e2e-spec.ts` (the built program, as a process of its own).
 */
export default {
  testEnvironment: tool('node-environment.mjs'),
  runtime: tool('shared-modules-runtime.mjs'),
  cacheDirectory: fileURLToPath(new URL('node_modules/.cache/jest', import.meta.url)),
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: { customExportConditions: ['@svc/source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  restoreMocks: true,
};

/** For projects whose integration and end-to-end tests run a registry. */
export const sharedPostgres =
  (process.env.TEST_LAYER ?? 'unit') === 'unit'
    ? {}
    : {
        globalSetup: tool('shared-postgres.setup.mjs'),
        globalTeardown: tool('shared-postgres.teardown.mjs'),
      };
