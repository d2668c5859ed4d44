import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readPage } from './support/documented-tables.js';
import { ROOT } from './support/services.js';

const AUTHOR = { NAME: 'A maintainer', EMAIL: 'maintainer@example.com' };
const IDENTITY = Object.fromEntries(
  Object.entries(AUTHOR).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]),
);

/** A repository with what a release is about: manifests, lock file, changelog, API documents, image tags. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'svc-release-'));
  const projects = ['apps', 'libs'].flatMap((kind) =>
    readdirSync(ROOT + kind).map((name) => `${kind}/${name}/package.json`),
  );
  const files = ['package.json', 'package-lock.json', 'CHANGELOG.md', ...projects];
  for (const path of [...files, 'docs/openapi-registry.json', 'docs/openapi-commander.json']) {
    if (!existsSync(ROOT + path)) continue;
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(ROOT + path, join(clone, path));
  }
  mkdirSync(join(clone, 'docker'));
  write('docker/compose.yaml', `image: svc-registry:${present()}\n`);
  write(
    'CHANGELOG.md',
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n\n## 0.0.1 - 2020-01-01\n\n- The first.\n',
  );
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all of it');
});
afterEach(() => rmSync(clone, { recursive: true }));

const read = (path: string): string => readFileSync(join(clone, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(clone, path), text);
const versionIn = (path: string): unknown => (JSON.parse(read(path)) as { version: unknown }).version;
const present = (): string => String(versionIn('package.json'));

function run(program: string, args: readonly string[]) {
  const env = { ...process.env, ...IDENTITY, HOME: clone, GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync(program, [...args], { cwd: clone, encoding: 'utf8', env });
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = run('git', args);
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trim();
}

const release = (...words: string[]) => run(process.execPath, [`${ROOT}tools/release.mjs`, ...words]);

test('versions, lock file, API documents and image tags get the version, the changelog its section, the commit a tag', () => {
  const { status, stdout, stderr } = release('97.0.0');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('git push origin main v97.0.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('describe', '--exact-match')).toBe('v97.0.0');
  expect(git('log', '-1', '--format=%s')).toBe('release: 97.0.0');
  const manifests = git('ls-files', '*package.json').split('\n');
  expect(manifests.length).toBeGreaterThan(15);
  expect(new Set(manifests.map(versionIn))).toEqual(new Set(['97.0.0']));
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version?: string }>;
  };
  expect([packages['']?.version, packages['apps/registry-api']?.version]).toEqual(['97.0.0', '97.0.0']);
  expect(packages['node_modules/typeorm']?.version).not.toBe('97.0.0');
  expect(read('docs/openapi-registry.json')).toContain('"version": "97.0.0"');
  expect(read('docker/compose.yaml')).toBe('image: svc-registry:97.0.0\n');
  expect(read('CHANGELOG.md')).toMatch(
    /^## Unreleased\n\n## 97\.0\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- Something\.\n\n## 0\.0\.1/m,
  );
});

test('the present version is released as it is while it has no tag', () => {
  const { status, stderr } = release(present());
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(git('diff', '--name-only', 'HEAD~1')).toBe('CHANGELOG.md');
});

test('the lock file changes in its versions alone', () => {
  release('97.0.0');
  const changed = git('diff', '--unified=0', 'HEAD~1', '--', 'package-lock.json')
    .split('\n')
    .filter((line) => /^[+-] /.test(line));
  expect(changed.filter((line) => !/^[+-] +"version": "[\d.]+",$/.test(line))).toEqual([]);
});

test('--dry-run writes nothing, and says what it would do', () => {
  const { status, stdout } = release('97.0.0', '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toContain('would write apps/registry-api/package.json');
  expect(stdout).toContain('would commit, and tag it v97.0.0');
  expect([git('status', '--porcelain'), git('tag', '--list')]).toEqual(['', '']);
});

test.each<[string, () => unknown, string, string]>([
  ['no version', () => 0, '', 'name the version'],
  ['a word that is no version', () => 0, 'next', 'name the version'],
  ['the present version, tagged', () => git('tag', `v${present()}`), 'present', 'already'],
  ['an earlier version', () => 0, '0.0.9', 'is earlier than'],
  ['uncommitted changes', () => write('new.txt', 'x'), '97.0.0', 'there are changes that are not committed'],
  [
    'another branch',
    () => git('checkout', '--quiet', '-b', 'other'),
    '97.0.0',
    'releases are made from main, not from other',
  ],
  ['a tag that is there', () => git('tag', 'v97.0.0'), '97.0.0', 'there is a tag v97.0.0 already'],
  [
    'nothing to release',
    () => commit('CHANGELOG.md', '# C\n\n## Unreleased\n\n## 0.0.1\n\n- A.\n'),
    '97.0.0',
    'there is nothing to release',
  ],
  [
    'a changelog without the section',
    () => commit('CHANGELOG.md', '# C\n'),
    '97.0.0',
    'has no section "## Unreleased"',
  ],
  [
    'a project out of step',
    () => commit('libs/yaml-depth/package.json', '{"version":"0.0.7"}'),
    '97.0.0',
    'libs/yaml-depth/package.json has version 0.0.7',
  ],
  [
    'an image tag out of step',
    () => commit('docker/compose.yaml', 'svc-registry:0.0.7'),
    '97.0.0',
    'names svc-registry:0.0.7',
  ],
])('%s is refused, and nothing is written', (_case, prepare, word, message) => {
  prepare();
  const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')];
  const asked = word === 'present' ? present() : word;
  const { status, stderr } = release(...(asked === '' ? [] : [asked]));
  expect(status).toBe(1);
  expect(stderr).toContain(message);
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')]).toEqual(before);
});

function commit(path: string, text: string): void {
  write(path, text);
  git('commit', '--quiet', '--all', '--message', `another ${path}`);
}

test('this repository is in step: one version everywhere, and an "Unreleased" section', () => {
  const { version } = JSON.parse(readPage('package.json')) as { version: string };
  const projects = ['apps', 'libs'].flatMap((kind) =>
    readdirSync(ROOT + kind).map((name) => `${kind}/${name}/package.json`),
  );
  for (const path of projects.filter((each) => existsSync(ROOT + each)))
    expect([path, (JSON.parse(readPage(path)) as { version: string }).version]).toEqual([path, version]);
  expect(readPage('CHANGELOG.md')).toMatch(/^## Unreleased$/m);
});
