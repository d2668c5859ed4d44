// Builds all projects in dependency order; unchanged ones come from the cache.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Builds all projects, or those given. On failure, prints the output and exits with status 1. */
export function build(...projects) {
  const selection = projects.length > 0 ? ['--projects', projects.join(',')] : [];
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    ['node_modules/nx/dist/bin/nx.js', 'run-many', '-t', 'build', ...selection],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NX_DAEMON: 'false' } },
  );
  if (status === 0) return;
  process.stderr.write(
    `${stdout ?? ''}${stderr ?? ''}\nthe build failed${error ? `: ${error.message}` : ''}\n`,
  );
  process.exit(1);
}
