import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/embedded-database/', import.meta.url));

/** Puts a migrated embedded database into a data folder that has none; creating one takes seconds of processor time. */
export async function placeEmbeddedDatabase(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'embedded-database', 'data');
  if (!existsSync(folder)) await copyFolder(await template(), folder);
}

/** An embedded database with the registry's tables, kept for later runs. @returns its folder */
async function template(): Promise<string> {
  const target = join(CACHE, await migrationsDigest());
  if (existsSync(target)) return target;
  // The path of the database's socket must be short.
  const dataDir = await mkdtemp(join(tmpdir(), 'embedded-'));
  await migrate(dataDir);
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, 'unfinished-'));
  await copyFolder(join(dataDir, 'embedded-database', 'data'), unfinished);
  await rm(dataDir, { recursive: true });
  // Of two files that create it at the same time, the first wins.
  await rename(unfinished, target).catch(async () => rm(unfinished, { recursive: true }));
  return target;
}

async function migrate(dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [join(DIST, 'main.js'), 'migrate'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error('cannot migrate the embedded template database');
}

/** Copies what a folder holds: 1,000 files, for which Node's own `cp` takes a second of processor time. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await promisify(execFile)('cp', ['-R', `${from}/.`, to]);
}

/** Changes with the migrations and with the version of the embedded database. */
async function migrationsDigest(): Promise<string> {
  const files = await readdir(DIST, { recursive: true });
  const migrations = files.filter((file) => /migrations.*\.js$/.test(file)).sort();
  const manifest = fileURLToPath(new URL('../package.json', import.meta.url));
  const hash = createHash('sha256').update(await readFile(manifest));
  for (const file of migrations) hash.update(await readFile(join(DIST, file)));
  return hash.digest('hex').slice(0, 16);
}
