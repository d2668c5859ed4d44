import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { releaseCommit, releasedVersions } from '../../release/released-versions.mjs';
import { ROOT } from './services.js';

const run = promisify(execFile);

/** An earlier version of this repository. */
export interface FormerVersion {
  /** Its version, or the tag or commit that was asked for. */
  readonly name: string;
  readonly commit: string;
}

const git = async (root: string, ...words: readonly string[]) =>
  (await run('git', words, { cwd: root })).stdout.trim();

/**
 * The versions to upgrade from: `UPGRADE_FROM` (tags or commits, separated by commas), or else every released one. If all of them
 * have the newest migration, the commit before it, too.
 */
export async function formerVersions(root = ROOT): Promise<FormerVersion[]> {
  const asked = process.env['UPGRADE_FROM'];
  if (asked !== undefined && asked !== '') return asked.split(',').map((name) => ({ name, commit: name }));
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const released = releasedVersions(changelog).map((name) => ({ name, commit: releaseCommit(root, name) }));
  const added = ['log', '-1', '--diff-filter=A', '--format=%H', '--', 'apps/registry-api/src/migrations'];
  const newest = await git(root, ...added);
  const since = await git(root, 'rev-list', '--ancestry-path', `${newest}..HEAD`);
  if (released.some(({ commit }) => commit !== newest && !since.includes(commit))) return released;
  const before = await git(root, 'rev-parse', '--short', `${newest}~1`);
  return [...released, { name: before, commit: before }];
}

/** Checks a version out, installs its packages and builds it. @returns the folder */
export async function buildFormer({ commit }: FormerVersion): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-former-'));
  const archive = `git -C "${ROOT}" archive "${commit}" | tar --extract --directory "${folder}"`;
  await run('bash', ['-euo', 'pipefail', '-c', archive]);
  const env = { ...process.env, NX_DAEMON: 'false', NX_WORKSPACE_ROOT_PATH: folder };
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], options);
  await run('npm', ['run', 'build'], options);
  return folder;
}
