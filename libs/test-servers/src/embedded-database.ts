import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyFolder, keptFolder } from './kept-folder.js';

const REGISTRY = fileURLToPath(new URL('../../../apps/registry-api/', import.meta.url));

/**
 * Puts a migrated embedded database into a data folder of the built registry, unless it has one. Creating one takes ten
 * seconds of CPU time.
 */
export async function placeEmbeddedDatabase(dataDir: string): Promise<void> {
  const folder = dataIn(dataDir);
  if (existsSync(folder)) return;
  const template = await keptFolder(`embedded-${await migrationsDigest()}`, async (keep) => {
    // The path of the database's socket must be short.
    const made = await mkdtemp(join(tmpdir(), 'embedded-'));
    await migrate(made);
    await keep(dataIn(made));
    await rm(made, { recursive: true });
  });
  await copyFolder(template, folder);
}

const dataIn = (dataDir: string) => join(dataDir, 'embedded-database', 'data');

async function migrate(dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [`${REGISTRY}dist/main.js`, 'migrate'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error('cannot migrate the embedded template database');
}

/** Changes with the migrations of the built registry, and with the version of its embedded database. */
export async function migrationsDigest(): Promise<string> {
  // Before they are bundled: the names of bundles say nothing about what they contain.
  const folder = join(REGISTRY, 'compiled', 'migrations');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.js')).sort();
  const hash = createHash('sha256').update(await readFile(join(REGISTRY, 'package.json')));
  for (const file of files) hash.update(await readFile(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}
