import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assertReady } from '../release/version-actions.mjs';
import { readPage } from './support/documented-tables.js';
import { ROOT } from './support/services.js';

/** All that Nx needs to know the projects, and all that names the version. */
const FILES = [
  ...[
    'package.json',
    'package-lock.json',
    'nx.json',
    'tsconfig*.json',
    'CHANGELOG.md',
    'docs/openapi-*.json',
  ],
  ...['apps/*/package.json', 'apps/*/project.json', 'libs/*/package.json', 'libs/*/project.json'],
  ...['tools/project.json', 'tools/release/*'],
];

const AUTHOR = { NAME: 'A maintainer', EMAIL: 'maintainer@example.com' };
const IDENTITY = Object.fromEntries(
  Object.entries(AUTHOR).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]),
);

/** A copy of this repository, without its history, whose changelog has something to release. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'svc-release-'));
  const paths = spawnSync('git', ['ls-files', ...FILES], { cwd: ROOT, encoding: 'utf8' }).stdout;
  for (const path of paths
    .trim()
    .split('\n')
    .filter((each) => existsSync(ROOT + each))) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(ROOT + path, join(clone, path));
  }
  symlinkSync(`${ROOT}node_modules`, join(clone, 'node_modules'));
  mkdirSync(join(clone, 'docker'));
  write('docker/compose.yaml', `image: svc-registry:${present()}\n`);
  write('docker/kustomization.yaml', `newTag: ${present()}\n`);
  write(
    'CHANGELOG.md',
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n\n## 0.0.1 - 2020-01-01\n\n- The first.\n',
  );
  write('.gitignore', 'node_modules\n.nx\n');
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
  const env = {
    ...process.env,
    ...IDENTITY,
    HOME: clone,
    GIT_CONFIG_NOSYSTEM: '1',
    NX_DAEMON: 'false',
    NX_WORKSPACE_ROOT_PATH: clone,
  };
  return spawnSync(program, [...args], { cwd: clone, encoding: 'utf8', env });
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = run('git', args);
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trim();
}

const release = (...words: string[]) =>
  run(process.execPath, ['node_modules/nx/dist/bin/nx.js', 'release', '--skip-publish', ...words]);

test('versions, lock file, API documents and image tags get the version, the changelog its section, the commit a tag', () => {
  expect(release('97.0.0').status).toBe(0);
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
  expect(read('docker/kustomization.yaml')).toBe('newTag: 97.0.0\n');
  expect(read('CHANGELOG.md')).toMatch(
    /^## Unreleased\n\n## 97\.0\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- Something\.\n\n## 0\.0\.1/m,
  );
});

test('the current version can be released while it has no tag', () => {
  expect(release(present()).status).toBe(0);
  expect(git('diff', '--name-only', 'HEAD~1')).toBe('CHANGELOG.md');
  expect(git('describe', '--exact-match')).toBe(`v${present()}`);
});

test('the lock file changes in its versions alone', () => {
  release('97.0.0');
  const changed = git('diff', '--unified=0', 'HEAD~1', '--', 'package-lock.json')
    .split('\n')
    .filter((line) => /^[+-] /.test(line));
  expect(changed.filter((line) => !/^[+-] +"version": "[\d.]+",$/.test(line))).toEqual([]);
});

test('--dry-run writes nothing, and reports what it would do', () => {
  const { status, stdout, stderr } = release('97.0.0', '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toContain('apps/registry-api/package.json');
  expect(stdout + stderr).toContain('"dryRun" flag means no changes were made');
  expect([git('status', '--porcelain'), git('tag', '--list')]).toEqual(['', '']);
});

const fails = (version: string) => () => assertReady(clone, version);

test('a release that is not ready is rejected before anything is written', () => {
  write('new.txt', 'x');
  const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')];
  const { status, stdout, stderr } = release('97.0.0');
  expect(status).toBe(1);
  expect(stdout + stderr).toContain('there are uncommitted changes; commit them first');
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')]).toEqual(before);
});

test.each<[string, () => unknown, string, string]>([
  ['a word that is not a version', () => 0, 'next', 'next is not a version'],
  ['the present version, tagged', () => git('tag', `v${present()}`), 'present', 'already exists'],
  ['an earlier version', () => 0, '0.0.9', 'is earlier than'],
  [
    'another branch',
    () => git('checkout', '--quiet', '-b', 'other'),
    '97.0.0',
    'made from main, not from other',
  ],
  ['an existing tag', () => git('tag', 'v97.0.0'), '97.0.0', 'tag v97.0.0 already exists'],
  [
    'a version that the changelog has, without its tag',
    () => commit('CHANGELOG.md', `# C\n\n## Unreleased\n\n- B.\n\n## ${present()} - 2020-01-01\n\n- A.\n`),
    'present',
    'so it is released already',
  ],
  [
    'nothing to release',
    () => commit('CHANGELOG.md', '# C\n\n## Unreleased\n\n## 0.0.1\n\n- A.\n'),
    '97.0.0',
    'nothing to release',
  ],
  [
    'a changelog without the section',
    () => commit('CHANGELOG.md', '# C\n'),
    '97.0.0',
    'has no section "## Unreleased"',
  ],
  [
    'a project out of step',
    () => commit('libs/service-kit/package.json', '{"version":"0.0.7"}'),
    '97.0.0',
    'libs/service-kit/package.json has version 0.0.7',
  ],
  [
    'an image tag out of step',
    () => commit('docker/compose.yaml', 'svc-registry:0.0.7'),
    '97.0.0',
    'names svc-registry:0.0.7',
  ],
])('%s is refused', (_case, prepare, version, message) => {
  expect(fails(version === 'present' ? present() : '97.0.0')).not.toThrow();
  prepare();
  expect(fails(version === 'present' ? present() : version)).toThrow(message);
});

test('without a version and a terminal to ask at, nothing is written', () => {
  release();
  expect([git('status', '--porcelain'), git('tag', '--list')]).toEqual(['', '']);
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
