import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ownFolder } from './postgres-binaries.js';

const run = promisify(execFile);

/** The first release that keeps prepared statements in transaction mode. */
const OLDEST = [1, 21] as const;

/** Debian 12 has an older PgBouncer. */
const RELEASE = 'trixie';

/** PgBouncer and every library it loads, the C library included, so that they run on older releases. */
const PACKAGES = [
  'pgbouncer',
  ...['libaudit1', 'libc6', 'libcap-ng0', 'libcap2', 'libcares2', 'libevent-2.1-7t64', 'libpam0g'],
  ...['libssl3t64', 'libsystemd0', 'libzstd1', 'zlib1g'],
];

/**
 * Finds PgBouncer 1.21 or later on the PATH; otherwise unpacks Debian's packages, once, into the system's temporary folder,
 * without installing them.
 *
 * @returns the command that runs it, to be followed by its arguments
 * @throws {Error} if neither works
 */
export async function findPgbouncer(): Promise<string[]> {
  for (const program of ['pgbouncer', '/usr/sbin/pgbouncer']) {
    if (await isRecent([program])) return [program];
  }
  try {
    return await unpackedCommand(await unpackedPackages());
  } catch (cause) {
    throw new Error('no PgBouncer for tests: put PgBouncer 1.21 or later on the PATH', { cause });
  }
}

async function isRecent([program, ...words]: readonly string[]): Promise<boolean> {
  const { stdout } = await run(program!, [...words, '--version']).catch(() => ({ stdout: '' }));
  const [, major = 0, minor = 0] = (/^PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** Packages of another release need that release's dynamic linker. */
async function unpackedCommand(folder: string): Promise<string[]> {
  const libraries = join(folder, 'usr/lib');
  const names = await readdir(libraries, { recursive: true });
  const linker = names.find((name) => /-linux-gnu\/ld-linux[^/]*\.so\.\d+$/.test(name));
  if (linker === undefined) throw new Error(`${folder} has no dynamic linker`);
  const path = join(libraries, linker.slice(0, linker.lastIndexOf('/')));
  const command = [join(libraries, linker), '--library-path', path, join(folder, 'usr/sbin/pgbouncer')];
  if (!(await isRecent(command))) throw new Error(`${folder} has no PgBouncer that runs here`);
  return command;
}

async function unpackedPackages(): Promise<string> {
  return ownFolder(`pgbouncer-${RELEASE}-${process.arch}`, async (folder) => {
    const apt = join(folder, 'apt');
    await download(apt);
    for (const name of await readdir(apt)) {
      if (name.endsWith('.deb')) await run('dpkg-deb', ['-x', join(apt, name), folder]);
    }
    await rm(apt, { recursive: true });
  });
}

/** With package lists of its own: those of the system stay as they are. */
async function download(folder: string): Promise<void> {
  for (const name of ['lists/partial', 'cache/archives/partial']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  const source = `deb [signed-by=${keyring}] http://deb.debian.org/debian ${RELEASE} main\n`;
  await writeFile(join(folder, 'sources.list'), source);
  await writeFile(join(folder, 'status'), '');
  const options = Object.entries({
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': '',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await run('apt-get', [...options, '-qq', 'update']);
  await run('apt-get', [...options, '-qq', 'download', ...PACKAGES], { cwd: folder });
}
