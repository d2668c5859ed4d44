// Extracts a program from its Debian package without installing the package, which would start a server:
//   node tools/setup/debian-program.mjs prometheus usr/bin/promtool
// Prints the program's path, or fails with the reason.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [packageName = '', file = ''] = process.argv.slice(2);
const program = basename(file);

/** Next to other files that Nx and the tests keep between runs. */
const KEPT = fileURLToPath(new URL(`../../.nx/${program}`, import.meta.url));

const path = installed() ?? (existsSync(KEPT) ? KEPT : download());
if (path === undefined) {
  console.error(`${program} is not installed, and its Debian package is not available: put it on the PATH`);
  process.exitCode = 1;
} else console.log(path);

function installed() {
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function download() {
  const folder = mkdtempSync(join(tmpdir(), `svc-${program}-`));
  try {
    const fetched =
      isDone('apt-get', ['download', '-qq', packageName], folder) ||
      // The machine has no package lists yet; only root may fetch them.
      (isDone('apt-get', ['update', '-qq'], folder) &&
        isDone('apt-get', ['download', '-qq', packageName], folder));
    if (!fetched) return undefined;
    const [archive] = readdirSync(folder);
    if (!isDone('dpkg-deb', ['-x', archive, '.'], folder)) return undefined;
    mkdirSync(join(KEPT, '..'), { recursive: true });
    isDone('mv', ['-f', join(folder, file), `${KEPT}.${process.pid}`], folder);
    renameSync(`${KEPT}.${process.pid}`, KEPT);
    return KEPT;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isDone(program, args, cwd) {
  return spawnSync(program, args, { cwd, stdio: 'ignore' }).status === 0;
}
