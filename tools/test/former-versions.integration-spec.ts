import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formerVersions } from './support/former-version.js';

const MIGRATIONS = 'apps/registry-api/src/migrations';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-former-versions-'));
  git('init', '--quiet');
  mkdirSync(join(root, MIGRATIONS), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function git(...words: string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  return execFileSync('git', [...identity, ...words], { cwd: root, encoding: 'utf8' }).trim();
}

/** @returns the commit */
function commit(path: string, text: string): string {
  writeFileSync(join(root, path), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'x');
  return git('rev-parse', 'HEAD');
}

const changelog = (...versions: string[]) =>
  commit('CHANGELOG.md', ['', ...versions.map((each) => `${each} - 2026-01-01\n`)].join('\n## '));

test('released versions are those of the changelog, each at the commit that gave it its section', async () => {
  changelog();
  const first = changelog('0.1.0');
  commit(`${MIGRATIONS}/2.ts`, '');
  const second = changelog('0.2.0', '0.1.0');
  expect(await formerVersions(root)).toEqual([
    { name: '0.2.0', commit: second },
    { name: '0.1.0', commit: first },
  ]);
});

test("a version's tag names its commit, where there is one", async () => {
  const released = changelog();
  git('tag', '-a', '-m', 'x', 'v0.1.0');
  changelog('0.1.0');
  commit(`${MIGRATIONS}/1.ts`, '');
  expect(await formerVersions(root)).toEqual([{ name: '0.1.0', commit: released }]);
});

test('while no version is older than the newest migration, the commit before it is a former version, too', async () => {
  changelog();
  const before = commit(`${MIGRATIONS}/1.ts`, '');
  commit(`${MIGRATIONS}/2.ts`, '');
  commit(`${MIGRATIONS}/1.ts`, 'a better comment');
  expect(await formerVersions(root)).toEqual([expect.objectContaining({ commit: before.slice(0, 7) })]);
  const released = changelog('0.1.0');
  expect(await formerVersions(root)).toEqual([
    { name: '0.1.0', commit: released },
    expect.objectContaining({ commit: before.slice(0, 7) }),
  ]);
});

test('a history without the release of a version in the changelog is an error that says what to fetch', async () => {
  changelog();
  commit(`${MIGRATIONS}/1.ts`, '');
  writeFileSync(join(root, 'CHANGELOG.md'), '## 0.1.0 - 2026-01-01\n');
  await expect(formerVersions(root)).rejects.toThrow('no release of 0.1.0; fetch all of it, with its tags');
});
