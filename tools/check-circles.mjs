// `npm run lint` runs this: neither files nor folders of a project may import one another in a circle.
//   node tools/check-circles.mjs          this repository
//   node tools/check-circles.mjs <root>   another tree with `apps` and `libs`
// The linter forbids circles between projects. Type imports count, too.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** @typedef {Map<string, Map<string, string[]>>} Arrows from → to → the imports behind the arrow, as `file → file` */

const MAX_CAUSES = 5;

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

const projects = ['apps', 'libs']
  .filter((kind) => existsSync(join(root, kind)))
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(kind, name)));

/** All TypeScript files of `src` and `test`, relative to the root. */
const files = new Set(projects.flatMap(filesOf));
const imports = new Map([...files].map((file) => [file, importsOf(file)]));

const fileCircles = circlesOf(arrowsBetween([...files], (file) => file));
for (const { circle } of fileCircles) console.error(`circle of files: ${circle.join(' → ')}`);

const folderCircles = projects.flatMap(circlesOfFolders);
for (const { project, circle, causes } of folderCircles) {
  console.error(`circle of folders in ${project}/src: ${circle.join(' → ')}`);
  for (const cause of causes) console.error(`    ${cause}`);
}

console.log(
  `${files.size} files: ${fileCircles.length} circles of files, ${folderCircles.length} circles of folders`,
);
if (fileCircles.length + folderCircles.length > 0) process.exit(1);

/** Each directory containing product files is a node, without its subdirectories; `.` is `src` itself.
 *
 * @param {string} project
 */
function circlesOfFolders(project) {
  const source = join(project, 'src');
  const product = [...files].filter(
    (file) => file.startsWith(`${source}/`) && !/\.(spec|test)\.tsx?$/.test(file),
  );
  const arrows = arrowsBetween(product, (file) => relative(source, dirname(file)) || '.');
  return circlesOf(arrows).map((found) => ({ project, ...found }));
}

/** @param {string} project */
function filesOf(project) {
  return ['src', 'test']
    .map((part) => join(project, part))
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))),
    )
    .filter((path) => /\.tsx?$/.test(path));
}

/** @param {string} file */
function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, '')))
    .flatMap((path) => [`${path}.ts`, `${path}.tsx`].filter((source) => files.has(source)));
}

/**
 * @param {readonly string[]} sources
 * @param {(file: string) => string} nodeOf
 * @returns {Arrows}
 */
function arrowsBetween(sources, nodeOf) {
  const known = new Set(sources);
  /** @type {Arrows} */
  const arrows = new Map(sources.map((file) => [nodeOf(file), new Map()]));
  for (const file of sources) {
    for (const imported of imports.get(file) ?? []) {
      if (!known.has(imported)) continue;
      const [from, to] = [nodeOf(file), nodeOf(imported)];
      if (from === to && file !== imported) continue;
      const behind = arrows.get(from)?.get(to) ?? [];
      arrows.get(from)?.set(to, [...behind, `${file} → ${imported}`]);
    }
  }
  return arrows;
}

/**
 * The shortest circle through each node, without duplicates, with the imports that cause it.
 *
 * @param {Arrows} arrows
 */
function circlesOf(arrows) {
  /** @type {Map<string, { circle: string[], causes: string[] }>} */
  const circles = new Map();
  for (const start of arrows.keys()) {
    const way = shortestWayBack(start, arrows);
    if (!way) continue;
    const key = way.toSorted().join();
    const first = way.indexOf(way.toSorted()[0] ?? start);
    const circle = [...way.slice(first), ...way.slice(0, first + 1)];
    const causes = circle
      .slice(1)
      .flatMap((to, at) => (arrows.get(circle[at] ?? '')?.get(to) ?? []).slice(0, MAX_CAUSES));
    if (!circles.has(key)) circles.set(key, { circle, causes });
  }
  return [...circles.values()];
}

/**
 * Breadth first.
 *
 * @param {string} start
 * @param {Arrows} arrows
 * @returns {string[] | undefined} the nodes from `start` to the last one before it recurs
 */
function shortestWayBack(start, arrows) {
  const seen = new Set();
  const ways = [[start]];
  for (const way of ways) {
    for (const next of arrows.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}
