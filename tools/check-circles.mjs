// No file may import itself by way of others, types and imports at run time included: files that need each other are one
// file in two places. The linter forbids circles between projects; this, within.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files of a room's `src` and `test`, with whole paths. */
function filesOf(room) {
  return ['src', 'test']
    .map((part) => join(room, part))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((path) => /\.tsx?$/.test(path));
}

const rooms = ['apps', 'libs'].flatMap((kind) =>
  readdirSync(join(root, kind)).map((name) => join(root, kind, name)),
);
const files = new Set(rooms.flatMap(filesOf));

const imports = new Map([...files].map((file) => [file, importsOf(file)]));

function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, '')))
    .flatMap((path) => [`${path}.ts`, `${path}.tsx`].filter((source) => files.has(source)));
}

/** Follows the imports of each file once; one that leads back to the way it was reached by closes a circle. */
const circles = [];
const done = new Set();

function follow(file, way) {
  const at = way.indexOf(file);
  if (at >= 0) circles.push([...way.slice(at), file]);
  if (at >= 0 || done.has(file)) return;
  for (const imported of imports.get(file)) follow(imported, [...way, file]);
  done.add(file);
}

for (const file of files) follow(file, []);
for (const circle of circles) {
  console.error(`These files import one another: ${circle.map((file) => relative(root, file)).join(' → ')}`);
}
if (circles.length > 0) process.exit(1);
console.log(`${files.size} files, no circle`);
