// The released versions, as CHANGELOG.md and the history tell them. Tags name their commits, but not every clone has the tags.
import { execFileSync } from 'node:child_process';

/**
 * @param {string} changelog
 * @returns {string[]} the versions it has a dated section for, latest first
 */
export function releasedVersions(changelog) {
  return [...changelog.matchAll(/^## (\d+\.\d+\.\d+) - /gm)].map(([, version]) => version);
}

/**
 * @param {string} root
 * @param {string} version
 * @returns {string} the commit that the version's tag names; without the tag, the one that gave the changelog its section
 * @throws {Error} if the history has neither
 */
export function releaseCommit(root, version) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '') return git('rev-parse', `${tag}^{commit}`);
  const section = ['-S', `## ${version} - `, '--', 'CHANGELOG.md'];
  const [commit] = git('log', '--reverse', '--format=%H', ...section).split('\n');
  if (!commit) throw new Error(`the history has no release of ${version}; fetch all of it, with its tags`);
  return commit;
}
