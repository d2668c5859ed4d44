// Prometheus' checker of rules, from Debian's package `prometheus`: the one program of it, since the package would install
// and start a server. Prints its path; says why, and fails, when it cannot be had.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Kept with what else Nx and the tests keep between runs. */
const KEPT = fileURLToPath(new URL('../../.nx/promtool', import.meta.url));

const path = installed() ?? (existsSync(KEPT) ? KEPT : download());
if (path === undefined) {
  console.error('promtool is not here, and no Debian package of it can be had: put it on the PATH');
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
      // A machine that has not asked for Debian's lists yet; only root may.
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
