// Extracts promtool, Prometheus' rule checker, from Debian's package `prometheus`, without installing the package,
// which would start a server. Prints its path, or fails with the reason.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Next to other files that Nx and the tests keep between runs. */
const KEPT = fileURLToPath(new URL('../../.nx/promtool', import.meta.url));

const path = installed() ?? (existsSync(KEPT) ? KEPT : download());
if (path === undefined) {
  console.error('promtool is not installed, and its Debian package is not available: put it on the PATH');
  process.exitCode = 1;
} else console.log(path);

function installed() {
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v promtool'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function download() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-promtool-'));
  try {
    const fetched =
      isDone('apt-get', ['download', '-qq', 'prometheus'], folder) ||
      // The machine has no package lists yet; only root may fetch them.
      (isDone('apt-get', ['update', '-qq'], folder) &&
        isDone('apt-get', ['download', '-qq', 'prometheus'], folder));
    if (!fetched) return undefined;
    const [archive] = readdirSync(folder);
    if (!isDone('dpkg-deb', ['-x', archive, '.'], folder)) return undefined;
    mkdirSync(join(KEPT, '..'), { recursive: true });
    isDone('mv', ['-f', join(folder, 'usr/bin/promtool'), `${KEPT}.${process.pid}`], folder);
    renameSync(`${KEPT}.${process.pid}`, KEPT);
    return KEPT;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isDone(program, args, cwd) {
  return spawnSync(program, args, { cwd, stdio: 'ignore' }).status === 0;
}
