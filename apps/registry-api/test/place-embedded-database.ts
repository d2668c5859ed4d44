import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/embedded-database/', import.meta.url));

/** Puts a migrated embedded database into a data folder that has none; creating one takes seconds of processor time. */
export async function placeEmbeddedDatabase(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'embedded-database', 'data');
  if (!existsSync(folder)) await cp(await template(), folder, { recursive: true });
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
  await cp(join(dataDir, 'embedded-database', 'data'), unfinished, { recursive: true });
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

/** Changes with the migrations and with the version of the embedded database. */
async function migrationsDigest(): Promise<string> {
  const files = await readdir(DIST, { recursive: true });
  const migrations = files.filter((file) => /migrations.*\.js$/.test(file)).sort();
  const manifest = fileURLToPath(new URL('../package.json', import.meta.url));
  const hash = createHash('sha256').update(await readFile(manifest));
  for (const file of migrations) hash.update(await readFile(join(DIST, file)));
  return hash.digest('hex').slice(0, 16);
}
