// Proves that the boundaries are enforced: the linter must report each forbidden import below. Nothing is written.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Lints the given text, not the file on disk, which typescript-eslint would read in a single run.
process.env.TSESTREE_SINGLE_RUN = 'false';
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

/** [importing file, import, rule that must reject it] */
const FORBIDDEN = [
  ['libs/client-metadata/src/index.ts', '@nestjs/common', '@nx/enforce-module-boundaries'],
  ['libs/client-metadata/src/index.ts', 'oidc-provider', '@nx/enforce-module-boundaries'],
  ['libs/client-metadata/src/index.ts', 'node:crypto', 'no-restricted-imports'],
  ['libs/client-metadata/src/index.ts', '@svc/service-kit', '@nx/enforce-module-boundaries'],
  ['libs/iplookup-core/src/index.ts', 'node:fs', 'no-restricted-imports'],
  ['libs/iplookup-core/src/index.ts', '@svc/password-format', '@nx/enforce-module-boundaries'],
  ['libs/library-sync/src/index.ts', 'node-zookeeper-client', '@nx/enforce-module-boundaries'],
  ['libs/library-sync/src/index.ts', 'node:net', 'no-restricted-imports'],
  ['libs/library-sync/src/index.ts', '@svc/zookeeper-store', '@nx/enforce-module-boundaries'],
  ['libs/password-format/src/index.ts', 'node:fs/promises', 'no-restricted-imports'],
  ['libs/zookeeper-store/src/index.ts', '@nestjs/core', '@nx/enforce-module-boundaries'],
  ['libs/zookeeper-store/src/index.ts', '@svc/directory-store', '@nx/enforce-module-boundaries'],
  ['libs/oidc-provider-adapter/src/index.ts', '@nestjs/common', '@nx/enforce-module-boundaries'],
  ['libs/oidc-provider-adapter/src/index.ts', '@svc/registry-client', '@nx/enforce-module-boundaries'],
  ['libs/service-kit/src/index.ts', '@svc/client-metadata', '@nx/enforce-module-boundaries'],
  ['libs/foundation/src/index.ts', '@svc/iplookup-core', '@nx/enforce-module-boundaries'],
  ['libs/foundation/src/loopback.ts', 'node:net', 'no-restricted-imports'],
  ['libs/client-metadata/src/index.ts', '@svc/foundation/files', 'no-restricted-imports'],
  ['libs/library-sync/src/index.ts', '@svc/foundation/files', 'no-restricted-imports'],
  ['libs/password-format/src/index.ts', '@svc/foundation/files', 'no-restricted-imports'],
  ['apps/registry-api/src/main.ts', '@svc/library-sync', '@nx/enforce-module-boundaries'],
  [
    'apps/example-authorization-server/src/main.ts',
    '../../registry-api/src/main.js',
    '@nx/enforce-module-boundaries',
  ],
  ['apps/registry-api/src/main.ts', '../../commander-api/src/main.js', '@nx/enforce-module-boundaries'],
  ['apps/commander-api/src/main.ts', '@svc/test-servers', 'no-restricted-imports'],
];

/** Imports that must be allowed: a rule that rejects everything proves nothing. */
const ALLOWED = [
  ['libs/oidc-provider-adapter/src/index.ts', '@svc/client-metadata'],
  ['libs/oidc-provider-adapter/src/index.ts', 'oidc-provider'],
  ['apps/registry-api/src/main.ts', '@svc/client-metadata'],
  ['apps/commander-api/src/main.ts', '@svc/library-source'],
  ['libs/zookeeper-store/src/index.ts', '@svc/library-sync'],
  ['libs/iplookup-core/src/files/write-file-atomically.ts', 'node:fs'],
];

// The boundary rule needs Nx's project graph, and reports nothing without it.
execFileSync(process.execPath, ['node_modules/nx/dist/bin/nx.js', 'show', 'projects'], { stdio: 'ignore' });
const { ESLint } = await import('eslint');
const eslint = new ESLint({ cwd: root });
const failures = [];
for (const [file, target, rule] of FORBIDDEN) {
  const refusals = await rulesThatRefuse(file, target);
  if (!refusals.includes(rule)) failures.push(`${file} may import ${target}: ${rule} does not refuse it`);
}
for (const [file, target] of ALLOWED) {
  const refusals = await rulesThatRefuse(file, target);
  if (refusals.length > 0)
    failures.push(`${file} may not import ${target}: ${refusals.join(', ')} refuses it`);
}
for (const failure of failures) console.error(failure);
console.log(`walls: ${FORBIDDEN.length} forbidden imports refused, ${ALLOWED.length} allowed ones pass`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function rulesThatRefuse(file, target) {
  const [result] = await eslint.lintText(`import '${target}';\n`, { filePath: file });
  return result.messages
    .filter(({ severity }) => severity === 2)
    .map(({ ruleId, message }) => ruleId ?? message);
}
