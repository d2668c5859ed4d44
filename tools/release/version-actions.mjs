// Customizes `nx release` (see "release" in nx.json): checks whether a release is allowed, and updates files that
// contain the version besides the projects' manifests.
//   npx nx release 0.2.0 --skip-publish            on main, without uncommitted changes; commits and tags, no push
//   npx nx release 0.2.0 --skip-publish --dry-run  shows what it would do, without writing anything
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import js from '@nx/js/src/release/version-actions';
import { releasedVersions } from './released-versions.mjs';

/** Folders with files that contain image tags, such as `svc-registry:0.1.0`, or `newTag: 0.1.0` for kustomize. */
const IMAGE_FOLDERS = ['docker', 'deploy'];
const IMAGE_TAG = /(\bsvc-(?:registry|commander):|\bnewTag: )(\d+\.\d+\.\d+)/g;

const VERSION = /^\d+\.\d+\.\d+$/;

export default class ReleaseVersionActions extends js.default {
  /**
   * Called before anything is written.
   *
   * @override
   * @param {string | null} current
   * @param {string} specifier
   * @param {string} reason
   * @param {Record<string, unknown>} reasonDetails
   * @param {string} preid
   */
  async calculateNewVersion(current, specifier, reason, reasonDetails, preid) {
    const result = await super.calculateNewVersion(current, specifier, reason, reasonDetails, preid);
    assertReady(process.cwd(), result.newVersion);
    return result;
  }
}

/**
 * Called when all manifests have the new version.
 *
 * @param {string} root
 * @param {{ dryRun?: boolean }} options
 */
export async function afterAllProjectsVersioned(root, { dryRun }) {
  if (dryRun) return { changedFiles: followingFiles(root), deletedFiles: [] };
  const { version } = readJson(root, manifests(root)[0]);
  const texts = new Map(followingFiles(root).map((path) => [path, withVersion(root, path, version)]));
  for (const [path, text] of texts) writeFileSync(join(root, path), text);
  return { changedFiles: [...texts.keys()], deletedFiles: [] };
}

/**
 * @param {string} root
 * @param {string} next
 * @throws {Error} if a release is not allowed
 */
export function assertReady(root, next) {
  const present = readJson(root, 'package.json').version;
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  if (!VERSION.test(next)) throw new Error(`${next} is not a version such as 1.2.3`);
  if (git('status', '--porcelain') !== '')
    throw new Error('there are uncommitted changes; commit them first');
  const branch = git('branch', '--show-current');
  if (branch !== 'main')
    throw new Error(`releases are made from main, not from ${branch || 'a detached HEAD'}`);
  if (isEarlier(next, present)) throw new Error(`${next} is earlier than ${present}, the present version`);
  if (git('tag', '--list', `v${next}`) !== '') throw new Error(`tag v${next} already exists`);
  // Not every clone has the tags.
  if (releasedVersions(read(root, 'CHANGELOG.md')).includes(next))
    throw new Error(`CHANGELOG.md has a section for ${next}, so it is released already`);
  for (const path of manifests(root)) {
    const { version } = readJson(root, path);
    if (version !== present)
      throw new Error(`${path} has version ${version}, package.json ${present}; align them first`);
  }
  for (const path of imageFiles(root)) {
    for (const [tag, , version] of read(root, path).matchAll(IMAGE_TAG))
      if (version !== present)
        throw new Error(`${path} names ${tag}, package.json ${present}; align them first`);
  }
  const [, section] = /^## Unreleased\n([^]*?)(?=^## |(?![^]))/m.exec(read(root, 'CHANGELOG.md')) ?? [];
  if (section === undefined) throw new Error('CHANGELOG.md has no section "## Unreleased"');
  if (section.trim() === '')
    throw new Error('CHANGELOG.md has nothing under "## Unreleased"; nothing to release');
}

function isEarlier(next, present) {
  const [a, b] = [next, present].map((text) => text.split('.').map(Number));
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && a[at] < b[at];
}

/** @param {string} root */
function manifests(root) {
  return ['apps', 'libs']
    .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}/package.json`))
    .filter((path) => existsSync(join(root, path)));
}

/** @param {string} root */
function imageFiles(root) {
  return IMAGE_FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length)),
    )
    .filter((path) => read(root, path).search(IMAGE_TAG) >= 0)
    .sort();
}

/** Files that contain the version, besides the projects' manifests. */
function followingFiles(root) {
  const documents = ['docs/openapi-registry.json', 'docs/openapi-commander.json'];
  return ['package.json', 'package-lock.json', 'CHANGELOG.md', ...documents, ...imageFiles(root)];
}

function withVersion(root, path, next) {
  const text = read(root, path);
  if (path === 'package-lock.json') return lockWithVersion(text, next);
  if (path === 'CHANGELOG.md') {
    const date = new Date().toISOString().slice(0, 10);
    return text.replace('## Unreleased\n', `## Unreleased\n\n## ${next} - ${date}\n`);
  }
  if (!path.endsWith('.json')) return text.replaceAll(IMAGE_TAG, (_tag, name) => `${name}${next}`);
  return text.replace(/"version": "\d+\.\d+\.\d+"/, `"version": "${next}"`);
}

function lockWithVersion(text, next) {
  const lock = JSON.parse(text);
  lock.version = next;
  for (const [path, entry] of Object.entries(lock.packages))
    if (!path.includes('node_modules') && entry.version) entry.version = next;
  return `${JSON.stringify(lock, null, 2)}\n`;
}

function readJson(root, path) {
  return JSON.parse(read(root, path));
}

function read(root, path) {
  return readFileSync(join(root, path), 'utf8');
}
