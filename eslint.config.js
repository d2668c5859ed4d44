import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Frameworks and drivers: only apps, adapters and the platform may know they exist. */
const EDGE_PACKAGES = [
  '@nestjs/*',
  'typeorm',
  'pg',
  'fastify',
  '@fastify/*',
  'commander',
  'node-zookeeper-client',
  'isomorphic-git',
  'oidc-provider',
  'openid-client',
  'pino',
  'rxjs',
];

/** Node's files, sockets and processes: what a domain library leaves to its callers. */
const NODE_IO = [
  'node:fs*',
  'node:net',
  'node:tls',
  'node:http*',
  'node:dgram',
  'node:child_process',
  'fs',
  'fs/*',
  'net',
  'http',
  'https',
  'child_process',
];

/** Who may import whom: app → adapter → domain → util, and never across services. */
const depConstraints = [
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: ['type:adapter', 'type:domain', 'type:platform', 'type:util', 'type:test'],
  },
  {
    sourceTag: 'type:adapter',
    onlyDependOnLibsWithTags: ['type:domain', 'type:util', 'type:test'],
    bannedExternalImports: ['@nestjs/*', 'typeorm', 'fastify', 'commander'],
  },
  {
    sourceTag: 'type:platform',
    onlyDependOnLibsWithTags: ['type:util'],
    bannedExternalImports: ['typeorm', 'pg', 'commander'],
  },
  {
    sourceTag: 'type:domain',
    onlyDependOnLibsWithTags: ['type:domain', 'type:util'],
    bannedExternalImports: EDGE_PACKAGES,
  },
  { sourceTag: 'type:util', onlyDependOnLibsWithTags: ['type:util'], bannedExternalImports: EDGE_PACKAGES },
  {
    // The test PostgreSQL makes its databases through the driver.
    sourceTag: 'type:test',
    onlyDependOnLibsWithTags: [],
    bannedExternalImports: EDGE_PACKAGES.filter((name) => name !== 'pg'),
  },
  { sourceTag: 'scope:registry', onlyDependOnLibsWithTags: ['scope:registry', 'scope:shared'] },
  { sourceTag: 'scope:commander', onlyDependOnLibsWithTags: ['scope:commander', 'scope:shared'] },
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
];

const TEST_FILES = ['**/*.spec.ts', '**/*-spec.ts'];

const TESTS = [...TEST_FILES, '*/*/test/**/*.ts', 'tools/test/**/*.ts', 'test/**/*.ts'];

export default tseslint.config(
  { ignores: ['**/dist', 'apps/*/compiled', '.nx', '.svc'] },
  // AssemblyScript, which its own compiler checks.
  { ignores: ['libs/iplookup-core/src/scan/assembly'] },
  ...tseslint.configs.recommended,
  prettier,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    languageOptions: {
      parserOptions: { project: './tsconfig.spec.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A service's entry point loads what a command needs only then; its other files import the same libraries as usual.
      '@nx/enforce-module-boundaries': [
        'error',
        {
          depConstraints,
          checkDynamicDependenciesExceptions: ['iplookup-core', 'service-kit', 'zookeeper-store'],
        },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // Test servers are for tests: product code never starts one.
    files: ['**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-imports': ['error', { patterns: ['@svc/test-servers'] }] },
  },
  {
    // Domain code computes: no file, no socket. The clock and randomness are handed in.
    files: ['**/libs/{client-metadata,iplookup-core,library-sync,password-format}/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/libs/iplookup-core/src/files/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [...NODE_IO, '@svc/foundation/files', '@svc/test-servers'] },
      ],
    },
  },
  {
    // These run in a browser too: nothing of Node's.
    files: ['**/libs/{client-metadata,foundation}/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/libs/foundation/src/files/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['node:*', '@svc/foundation/files', '@svc/test-servers'] },
      ],
    },
  },
  { files: TESTS, rules: { 'max-lines-per-function': 'off' } },
  {
    files: ['**/*.ts'],
    ignores: TEST_FILES,
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(All|Each)$/]',
          message: 'Only test files register hooks: other modules are loaded once for many of them.',
        },
      ],
    },
  },
  {
    // The admin UI runs in a browser: it has types of its own, and the rules of React.
    files: ['apps/registry-ui/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.flat.recommended.rules,
      // Speaks of the React Compiler, which does not run here.
      'react-hooks/incompatible-library': 'off',
    },
    languageOptions: {
      parserOptions: { project: './apps/registry-ui/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
  },
);
