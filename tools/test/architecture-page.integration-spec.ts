import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readPage } from './support/documented-tables.js';
import { ROOT } from './support/services.js';

const all = ['apps', 'libs']
  .flatMap((kind) => readdirSync(ROOT + kind).map((name) => `${kind}/${name}`))
  .filter((project) => existsSync(`${ROOT}${project}/project.json`));
const projects = all.filter((project) => existsSync(`${ROOT}${project}/src`));

/** Folders of a project's `src` that hold product code; `.` is `src` itself. */
function foldersOf(project: string): string[] {
  const files = readdirSync(`${ROOT}${project}/src`, { recursive: true, encoding: 'utf8' });
  const product = files.filter((name) => /\.(tsx?|css)$/.test(name) && !/\.spec\.tsx?$/.test(name));
  return [...new Set(product.map((name) => dirname(name)))].sort();
}

/** The table below the project's heading: folder → purpose. */
function documentedFolders(project: string): Map<string, string> {
  const [, section = ''] = readPage('docs/architecture.md').split(`\n### ${project}\n`);
  const rows = section.split(/\n#/)[0]?.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm) ?? [];
  return new Map([...rows].map(([, folder = '', purpose = '']) => [folder, purpose]));
}

test.each(projects)('docs/architecture.md explains each folder of %s, and no other', (project) => {
  const folders = foldersOf(project);
  const documented = documentedFolders(project);
  expect([...documented.keys()].sort()).toEqual(folders.length > 1 ? folders : []);
  expect([...documented.values()].filter((purpose) => purpose.length < 8)).toEqual([]);
});

test('docs/architecture.md has a row for each project', () => {
  const rows = [...readPage('docs/architecture.md').matchAll(/^\| `((?:apps|libs)\/[^`]+)`/gm)];
  expect(rows.map(([, project]) => project).sort()).toEqual([...all].sort());
});
