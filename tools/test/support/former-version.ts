import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './services.js';

const run = promisify(execFile);

/** An earlier version of this repository, built in a folder of its own. */
export interface FormerVersion {
  /** The tag or commit it is of. */
  readonly name: string;
  readonly folder: string;
}

const git = async (...words: readonly string[]) => (await run('git', words, { cwd: ROOT })).stdout.trim();

/**
 * The versions to upgrade from: `UPGRADE_FROM` (tags or commits, separated by commas), or else every tagged version. Without tags, it
 * is the commit before the newest migration.
 */
export async function formerVersions(): Promise<string[]> {
  const asked = process.env['UPGRADE_FROM'];
  if (asked !== undefined && asked !== '') return asked.split(',');
  const tags = (await git('tag', '--list', 'v*', '--sort=version:refname')).split('\n').filter(Boolean);
  if (tags.length > 0) return tags;
  const newest = await git('log', '-1', '--format=%h', '--', 'apps/registry-api/src/migrations');
  return [await git('rev-parse', '--short', `${newest}~1`)];
}

/** Checks a version out, installs its packages and builds it. */
export async function buildFormer(name: string): Promise<FormerVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-former-'));
  const archive = `git -C "${ROOT}" archive "${name}" | tar --extract --directory "${folder}"`;
  await run('bash', ['-euo', 'pipefail', '-c', archive]);
  const env = { ...process.env, NX_DAEMON: 'false', NX_WORKSPACE_ROOT_PATH: folder };
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], options);
  await run('npm', ['run', 'build'], options);
  return { name, folder };
}

export async function removeFormer({ folder }: FormerVersion): Promise<void> {
  await rm(folder, { recursive: true });
}
