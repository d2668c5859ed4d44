// Copies the built files of projects and of the libraries they import, as needed in an image: JavaScript and assets,
// without type declarations, source maps and sources.
//   node docker/gather-built.mjs <target folder> <project>...
import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';

/** The parts of a project that an image needs. */
const PARTS = ['dist', 'bin', 'package.json'];

/** Only for compilers and debuggers. */
const UNUSED = /\.(d\.[cm]?ts|map|tsbuildinfo)$/;

const [target, ...projects] = process.argv.slice(2);
const libraries = new Map(
  readdirSync('libs').map((name) => [readManifest(`libs/${name}`).name, `libs/${name}`]),
);
const gathered = new Set(projects);
// Iterating over a set includes items added meanwhile.
for (const folder of gathered) {
  const { dependencies = {} } = readManifest(folder);
  for (const name of Object.keys(dependencies)) if (libraries.has(name)) gathered.add(libraries.get(name));
}
for (const folder of gathered) gather(folder);

function gather(folder) {
  if (!existsSync(`${folder}/dist`)) throw new Error(`${folder} has not been built`);
  for (const part of PARTS.filter((name) => existsSync(`${folder}/${name}`))) {
    cpSync(`${folder}/${part}`, `${target}/${folder}/${part}`, {
      recursive: true,
      filter: (path) => !UNUSED.test(path),
    });
  }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
}
