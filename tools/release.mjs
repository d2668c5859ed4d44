// Makes a release: versions of all projects and image tags in step, the changelog's section, a commit and a tag. Pushes nothing.
//   node tools/release.mjs 0.2.0            in the repository's root, on main, with nothing uncommitted
//   node tools/release.mjs 0.2.0 --dry-run  says what it would do, and writes nothing
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** Files that name image tags, such as `svc-registry:0.1.0`. */
const IMAGE_FOLDERS = ['docker', 'deploy'];
const IMAGE_TAG = /\bsvc-(registry|commander):(\d+\.\d+\.\d+)/g;

const words = process.argv.slice(2);
const isDry = words.includes('--dry-run');
const [version, ...others] = words.filter((word) => word !== '--dry-run');

try {
  if (!VERSION.test(version ?? '') || others.length > 0)
    throw new Error('name the version: node tools/release.mjs 1.2.3 [--dry-run]');
  release(version);
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}

function release(next) {
  const present = readJson('package.json').version;
  assertReady(present, next);
  const files = new Map();
  const contents = [
    ...manifests().map((path) => [path, withVersion(path, present, next)]),
    ['package-lock.json', lockWithVersion(next)],
    ['CHANGELOG.md', changelogWith(next, new Date())],
    ...apiDocuments().map((path) => [path, apiWithVersion(path, next)]),
    ...imageFiles().map((path) => [path, withTags(path, present, next)]),
  ];
  for (const [path = '', text] of contents) files.set(path, text);
  for (const path of files.keys()) console.log(`${isDry ? 'would write' : 'writes'} ${path}`);
  if (isDry) {
    console.log(`would commit, and tag it v${next}`);
    return;
  }
  for (const [path, text] of files) writeFileSync(path, text);
  git('add', '--', ...files.keys());
  git('commit', '--quiet', '--message', `release: ${next}`);
  git('tag', '--annotate', `v${next}`, '--message', `Version ${next}`);
  console.log(whatToPush(next));
}

function assertReady(present, next) {
  if (git('status', '--porcelain') !== '')
    throw new Error('there are changes that are not committed; commit them first');
  const branch = git('branch', '--show-current');
  if (branch !== 'main') throw new Error(`releases are made from main, not from ${branch || 'no branch'}`);
  // A version that was never tagged is not released yet.
  if (isEarlier(next, present)) throw new Error(`${next} is earlier than ${present}, the present version`);
  if (git('tag', '--list', `v${next}`) !== '') throw new Error(`there is a tag v${next} already`);
}

function isEarlier(next, present) {
  const [a, b] = [next, present].map((text) => text.split('.').map(Number));
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && a[at] < b[at];
}

function manifests() {
  const projects = ['apps', 'libs'].flatMap((kind) =>
    readdirSync(kind).map((name) => `${kind}/${name}/package.json`),
  );
  return ['package.json', ...projects.filter((path) => existsSync(path))];
}

function withVersion(path, present, next) {
  const { version: found } = readJson(path);
  if (found !== present)
    throw new Error(`${path} has version ${found}, package.json ${present}; put them in step first`);
  return readFileSync(path, 'utf8').replace(`"version": "${present}"`, `"version": "${next}"`);
}

function lockWithVersion(next) {
  const lock = readJson('package-lock.json');
  lock.version = next;
  for (const [path, entry] of Object.entries(lock.packages))
    if (!path.includes('node_modules') && entry.version) entry.version = next;
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** The section of what is unreleased becomes that of the version, and an empty one stands above it. */
function changelogWith(next, date) {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const [, section] = /^## Unreleased\n([^]*?)(?=^## |(?![^]))/m.exec(changelog) ?? [];
  if (section === undefined) throw new Error('CHANGELOG.md has no section "## Unreleased"');
  if (section.trim() === '')
    throw new Error('CHANGELOG.md says nothing under "## Unreleased": there is nothing to release');
  return changelog.replace(
    '## Unreleased\n',
    `## Unreleased\n\n## ${next} - ${date.toISOString().slice(0, 10)}\n`,
  );
}

function apiDocuments() {
  return ['docs/openapi-registry.json', 'docs/openapi-commander.json'].filter((path) => existsSync(path));
}

function apiWithVersion(path, next) {
  const { info } = readJson(path);
  return readFileSync(path, 'utf8').replace(`"version": "${info.version}"`, `"version": "${next}"`);
}

function imageFiles() {
  const files = IMAGE_FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`),
  );
  return files.filter((path) => readFileSync(path, 'utf8').search(IMAGE_TAG) >= 0).sort();
}

function withTags(path, present, next) {
  return readFileSync(path, 'utf8').replaceAll(IMAGE_TAG, (_tag, name, tagged) => {
    if (tagged !== present)
      throw new Error(`${path} names svc-${name}:${tagged}, package.json ${present}; put them in step first`);
    return `svc-${name}:${next}`;
  });
}

function whatToPush(next) {
  return `
Version ${next} is committed and tagged here. Look at it (git show v${next}), then push it, and build the images:

  git push origin main v${next}
  docker build -f docker/registry-api.Dockerfile -t svc-registry:${next} .
  docker build -f docker/commander-api.Dockerfile -t svc-commander:${next} .

To take it back before that: git tag --delete v${next} && git reset --hard HEAD~1`;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
